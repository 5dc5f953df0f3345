/**
 * The script of every page. It fetches the page again after each change and replaces its parts with `data-live`; a page that is not live
 * only renews the bar. Parts with `data-keyed` keep the entries that are the same, and what one reads stays where it is. A page that nobody
 * sees holds no connection: a browser has six for one shop.
 */
export const follow = `
const live = document.body.hasAttribute('data-follows')
let busy = false, again = false, events
const openOf = (root) => [...root.querySelectorAll('details[id]')].filter(({ open }) => open).map(({ id }) => id)
const plain = (node) => { const copy = node.cloneNode(true); for (const one of [copy, ...copy.querySelectorAll('details')]) one.removeAttribute('open'); return copy.outerHTML }
function merge(list, next) {
  const old = new Map([...list.children].map((node) => [node.id, node]))
  let at = list.firstElementChild
  for (const node of [...next.children]) {
    const same = old.get(node.id)
    old.delete(node.id)
    const stays = same && plain(same) === plain(node)
    if (same && same === at) at = same.nextElementSibling
    if (stays && same.nextElementSibling === at && same.parentElement === list) continue
    if (stays) list.insertBefore(same, at)
    else { if (same) same.remove(); list.insertBefore(node, at) }
  }
  for (const node of old.values()) node.remove()
}
function renew(region, next) {
  if (next.innerHTML === region.innerHTML) return
  const open = openOf(region)
  const focused = region.contains(document.activeElement) ? document.activeElement.id : ''
  const [list, newer] = [region, next].map((one) => one.querySelector('[data-keyed]'))
  if (list && newer) {
    merge(list, newer)
    newer.replaceWith(list.cloneNode(false))
    const place = next.querySelector('[data-keyed]')
    for (const one of [...region.childNodes]) if (one !== list) one.remove()
    let before = true
    for (const one of [...next.childNodes]) { if (one === place) before = false; else if (before) region.insertBefore(one, list); else region.append(one) }
  } else region.replaceChildren(...next.childNodes)
  for (const id of open) document.getElementById(id)?.setAttribute('open', '')
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus({ preventScroll: true })
}
async function refresh() {
  if (busy) { again = true; return }
  busy = true
  try {
    const text = await (await fetch(live ? location.href : '/switches')).text()
    // Without its style, which this page already has and the policy forbids twice.
    const page = new DOMParser().parseFromString(text.replace(/<style[^]*?<\\/style>/, ''), 'text/html')
    const anchor = scrollY > 0 && [...document.querySelectorAll('[data-keyed] > *')].find((one) => one.getBoundingClientRect().bottom > 0)
    const top = anchor && anchor.getBoundingClientRect().top
    for (const region of document.querySelectorAll(live ? '[data-live]' : '#state')) {
      const next = page.getElementById(region.id)
      if (next) renew(region, next)
    }
    if (anchor && anchor.isConnected) scrollBy(0, anchor.getBoundingClientRect().top - top)
    if (live) document.title = page.title
  } catch { /* The next change tries again. */ }
  busy = false
  if (again) { again = false; refresh() }
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
addEventListener('click', async ({ target }) => {
  const source = target.closest?.('[data-copy]')
  if (!source) return
  const text = await (await fetch(source.dataset.copy)).text()
  await navigator.clipboard.writeText(text)
  source.textContent = 'Copied'
})`
