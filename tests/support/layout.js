// The texts of charts that are cut by the chart's edge, or that meet another text.
() => {
  const found = []
  const upright = (box) => box.height > box.width * 1.2
  document.querySelectorAll('.js-plotly-plot').forEach((plot) => {
    const frame = plot.getBoundingClientRect()
    const key = plot.closest('[class*="st-key-"]')?.className.match(/st-key-(\S+)/)?.[1]
    const texts = [...plot.querySelectorAll('svg.main-svg text')]
      .filter((text) => text.textContent.trim() && !text.closest('.hoverlayer, .modebar-container'))
      .map((text) => ({ words: text.textContent.trim().slice(0, 40), box: text.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0)
    texts.forEach(({ words, box }, at) => {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
        found.push(`${key}: “${words}” is cut`)
      for (const other of texts.slice(at + 1)) {
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left)
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top)
        // The boxes of texts hold the space between lines too.
        if (down > 4 && across > (upright(box) || upright(other.box) ? 3 : -2)) found.push(`${key}: “${words}” meets “${other.words}”`)
      }
    })
  })
  return found
}
