// Says how many pixels the page has for a chart, and again when that changes: texts on charts are cut for that width.
const STEP = 10 // pixels; a drag of the window draws the page anew only where it matters

export default ({ parentElement, data, setStateValue }) => {
  const host = parentElement.host
  host.known = data.known
  if (host.observer) return
  const block = host.closest('[data-testid="stMainBlockContainer"]')
  const report = () => {
    const style = getComputedStyle(block)
    const across = block.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
    const pixels = Math.min(data.most, STEP * Math.floor(across / STEP))
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
