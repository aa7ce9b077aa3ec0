// Says how many pixels the page has for a chart, and again when that changes: texts on charts are cut for that width.
// In steps: a change of the window draws the page anew only where it matters.
const NARROW = 640, FINE = 10, COARSE = 40

export default ({ parentElement, data, setStateValue }) => {
  const host = parentElement.host
  host.known = data.known
  if (host.observer) return
  const block = host.closest('[data-testid="stMainBlockContainer"]')
  const report = () => {
    const style = getComputedStyle(block)
    const across = block.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
    const step = across < NARROW ? FINE : COARSE
    const pixels = Math.min(data.most, step * Math.floor(across / step))
    if (pixels > 0 && pixels !== host.known) setStateValue("pixels", pixels)
  }
  let waiting
  host.observer = new ResizeObserver(() => {
    clearTimeout(waiting)
    waiting = setTimeout(report, 200)
  })
  host.observer.observe(block)
  return () => {
    clearTimeout(waiting)
    host.observer.disconnect()
    delete host.observer
  }
}
