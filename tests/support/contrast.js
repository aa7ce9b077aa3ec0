// The contrast of every text on the page with what lies behind it, by WCAG 2: those below what AA asks for, worst first.
(least) => {
  const parse = (colour) => {
    const canvas = parse.canvas ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data
    return [r, g, b, a / 255]
  }
  const over = (front, back) => [0, 1, 2].map((at) => front[at] * front[3] + back[at] * (1 - front[3])).concat(1)
  const luminance = ([r, g, b]) => {
    const part = (x) => ((x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b)
  }
  const ratio = (a, b) => {
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y)
    return (light + 0.05) / (dark + 0.05)
  }
  const chain = (element) => {
    const found = []
    for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) found.push(at)
    return found
  }
  const holds = (at, box) => {
    const own = at.getBoundingClientRect()
    const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2
    return own.left <= x && x <= own.right && own.top <= y && y <= own.bottom
  }
  const behind = (ancestors, box) => ancestors.slice().reverse().reduce((colour, at) => {
    if (at !== document.documentElement && at !== document.body && !holds(at, box)) return colour // such as a slider's value, above its thumb
    const own = at instanceof SVGElement ? 'rgba(0,0,0,0)' : getComputedStyle(at).backgroundColor
    const paper = at.classList?.contains('js-plotly-plot') ? at.querySelector('svg.main-svg').style.background : ''
    return over(parse(paper || own), colour)
  }, [255, 255, 255, 1])
  // What a chart draws behind a text, where it is a cell of a heat map, is judged by the tests of the charts.
  const texts = []
  const walk = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.shadowRoot) walk(node.shadowRoot)
      if (node.nodeType === Node.TEXT_NODE && node.textContent.trim()) texts.push(node)
    }
  }
  walk(document.body)
  const found = new Map()
  let seen = 0
  for (const node of texts) {
    const element = node.parentElement
    const box = element?.getBoundingClientRect()
    if (!box || box.width === 0 || box.height === 0 || !element.checkVisibility({ visibilityProperty: true })) continue
    if (element.closest('script, style, noscript, [aria-hidden="true"] canvas, .hoverlayer, .modebar, [disabled], [aria-disabled="true"]')) continue
    if (element.closest('.scatterlayer, .heatmaplayer, .barlayer')?.closest('.js-plotly-plot')?.querySelector('.heatmaplayer image')) continue
    const ancestors = chain(element)
    const style = getComputedStyle(element)
    const svg = element instanceof SVGElement
    const colour = parse(svg ? style.fill : style.color)
    colour[3] *= ancestors.reduce((all, at) => all * getComputedStyle(at).opacity, 1) * (svg ? style.fillOpacity : 1)
    if (colour[3] === 0) continue
    seen += 1
    const ground = behind(ancestors, box)
    const value = ratio(over(colour, ground), ground)
    const size = parseFloat(style.fontSize)
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700)
    const isMark = !/[\p{L}\p{N}]/u.test(node.textContent) // the marks of a key: of what is drawn, 3 is asked
    if (value < (large || isMark ? 3 : least)) {
      const words = `${value.toFixed(2)} ${node.textContent.trim().slice(0, 40)} <${element.tagName.toLowerCase()} ${element.closest('[data-testid]')?.dataset.testid ?? ''}> rgb(${over(colour, ground).slice(0, 3).map(Math.round)}) on rgb(${ground.slice(0, 3).map(Math.round)})`
      found.set(words, value)
    }
  }
  return { seen, found: [...found].sort((a, b) => a[1] - b[1]).map(([words]) => words) }
}
