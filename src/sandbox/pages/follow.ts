/**
 * The script of every page. It fetches the page again after each change and replaces its parts with `data-live`; a page that is not live
 * only renews the bar. In a list with `data-keyed` the first entry in sight stays where it is. Links with `data-opens` change a live page in
 * place, and the total of a checkout follows what is chosen. A page that nobody sees holds no connection: a browser has six for one shop.
 */
export const follow = `
const live = document.body.hasAttribute('data-follows')
let running, next, events
const plain = (node) => {
  const copy = node.cloneNode(true)
  for (const one of copy.querySelectorAll('details')) one.removeAttribute('open')
  return copy.outerHTML
}
function renew(region, newer) {
  if (plain(newer) === plain(region)) return
  const opened = [...region.querySelectorAll('details[id]')].map(({ id, open }) => [id, open])
  const focused = region.contains(document.activeElement) ? document.activeElement.id : ''
  region.replaceChildren(...newer.childNodes)
  region.hidden = newer.hidden
  for (const [id, open] of opened) document.getElementById(id)?.toggleAttribute('open', open)
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus({ preventScroll: true })
}
async function load() {
  try {
    const text = await (await fetch(live ? location.href : '/switches')).text()
    // Without its style, which this page already has and the policy forbids twice.
    const page = new DOMParser().parseFromString(text.replace(/<style[^]*?<\\/style>/, ''), 'text/html')
    const inSight = (one) => one.getBoundingClientRect().bottom > 0
    const anchor = scrollY > 0 ? [...document.querySelectorAll('[data-keyed] > *')].find(inSight)?.id : undefined
    const topOf = () => document.getElementById(anchor)?.getBoundingClientRect().top
    const top = anchor && topOf()
    for (const region of document.querySelectorAll(live ? '[data-live]' : '#state')) {
      const newer = page.getElementById(region.id)
      if (newer) renew(region, newer)
      else if (region.dataset.gone === 'reload') return location.reload()
    }
    const now = anchor && topOf()
    if (now !== undefined && now !== top) scrollBy({ top: now - top, behavior: 'instant' })
    if (live) document.title = page.title
  } catch { /* The next change tries again. */ }
}
/** At most one fetch at a time, and one more for all changes in the meantime. */
function refresh() {
  if (running) return (next ??= running.then(() => { next = undefined; return refresh() }))
  running = load().finally(() => { running = undefined })
  return running
}
function connect() {
  events?.close()
  if (document.hidden) return
  events = new EventSource('/events')
  events.onmessage = refresh
  events.onopen = refresh
}
document.addEventListener('visibilitychange', connect)
connect()
if (live) addEventListener('popstate', refresh)
/** The total of a checkout follows the choice of its methods. */
addEventListener('change', ({ target }) => {
  const { adds, title } = target.dataset ?? {}
  const cell = adds && document.querySelector('[data-total]')
  if (!cell) return
  const { total, currency, digits } = cell.dataset
  const written = (minor) =>
    new Intl.NumberFormat('en', { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits }).format(minor / 10 ** digits)
  const row = document.querySelector('[data-chosen="' + target.name + '"]')
  row.cells[0].textContent = title
  row.cells[3].textContent = written(adds)
  const chosen = [...document.querySelectorAll('[data-adds]:checked')].map((one) => Number(one.dataset.adds))
  cell.textContent = written(chosen.reduce((sum, one) => sum + one, Number(total)))
})
addEventListener('click', async (event) => {
  const opener = event.target.closest?.('a[data-opens]')
  if (opener && live && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault()
    history.pushState(null, '', opener.href.split('#')[0])
    await refresh()
    const target = document.getElementById(opener.dataset.opens)
    target?.focus({ preventScroll: true })
    if (target && !(target.getBoundingClientRect().top >= 0 && target.getBoundingClientRect().top < innerHeight / 2)) target.scrollIntoView()
    return
  }
  const source = event.target.closest?.('[data-copy]')
  if (!source) return
  const text = await (await fetch(source.dataset.copy)).text()
  await navigator.clipboard.writeText(text)
  source.textContent = 'Copied'
})`
