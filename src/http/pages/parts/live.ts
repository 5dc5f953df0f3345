import { html } from 'hono/html'
import { hashedFile } from '../assets.ts'
import { assetsPath, type Html } from './frame.ts'

/**
 * The script of our tools. After each event it loads the page again and replaces its parts with `data-live`, which have ids; a part with
 * `data-gone` that is no longer there loads the whole page. Details with ids stay open, the focus stays, a part in
 * which somebody has written something stays as it is, and in a list with `data-keyed` the first
 * entry in sight stays in its place. Links with `data-opens` change the page in place and go to that part. A page that nobody sees holds no
 * connection, and neither does one without an address of events: a browser has six for one host. Pages are loaded by XMLHttpRequest, because trusted types forbid to parse text as HTML.
 */
const script = `const { events: address, page: other } = document.querySelector('[data-events]').dataset
const byId = (id) => document.getElementById(id)
let running, next, events
const plain = (node) => {
  const copy = node.cloneNode(true)
  for (const one of copy.querySelectorAll('details')) one.open = false
  return copy.outerHTML
}
function renew(region, newer) {
  const given = (one) => one.defaultValue ?? (one.querySelector('[selected]') || one[0])?.value
  if (plain(newer) === plain(region) || [...region.querySelectorAll('input,textarea,select')].some((one) => one.value !== given(one))) return
  const opened = [...region.querySelectorAll('details[id]')].map(({ id, open }) => [id, open])
  const focused = region.contains(document.activeElement) && document.activeElement.id
  region.replaceChildren(...newer.childNodes)
  region.hidden = newer.hidden
  for (const [id, open] of opened) byId(id)?.toggleAttribute('open', open)
  if (focused) byId(focused)?.focus({ preventScroll: true })
}
const pageAt = (url) => new Promise((done, failed) => {
  const call = new XMLHttpRequest()
  call.open('GET', url)
  call.responseType = 'document'
  call.onload = () => done(call.response)
  call.onerror = failed
  call.send()
})
const topOf = (one) => one?.getBoundingClientRect().top
async function load() {
  try {
    const page = await pageAt(other || location.href)
    const anchor = scrollY > 0 && [...document.querySelectorAll('[data-keyed] > [id]')].find((one) => one.getBoundingClientRect().bottom > 0)
    const top = anchor && topOf(anchor)
    for (const region of document.querySelectorAll('[data-live]')) {
      const newer = page.getElementById(region.id)
      if (newer) renew(region, newer)
      else if (region.dataset.gone) return location.reload()
    }
    if (anchor) scrollBy({ top: topOf(byId(anchor.id)) - top || 0, behavior: 'instant' })
    if (!other) document.title = page.title
  } catch {}
}
function refresh() {
  if (running) return (next ??= running.then(() => { next = undefined; return refresh() }))
  return (running = load().finally(() => { running = undefined }))
}
function connect() {
  events?.close()
  if (document.hidden || !address) return
  events = new EventSource(address)
  events.onmessage = events.onopen = refresh
}
document.addEventListener('visibilitychange', connect)
connect()
if (!other) addEventListener('popstate', refresh)
addEventListener('click', async (event) => {
  const copy = event.target.closest('[data-copy]')
  if (copy) {
    await navigator.clipboard.writeText(copy.dataset.copy || copy.nextElementSibling.textContent)
    copy.textContent = 'Copied'
  }
  const opener = !other && event.target.closest('a[data-opens]')
  if (!opener || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  history.pushState(null, '', opener.href.split('#')[0])
  await refresh()
  const target = byId(opener.dataset.opens)
  target?.focus({ preventScroll: true })
  if (!(topOf(target) >= 0 && topOf(target) < innerHeight / 2)) target?.scrollIntoView()
})
addEventListener('keydown', (event) => {
  const { key, target } = event
  if (key === 'Escape' && target.id === 'q') target.blur()
  if (key !== '/' || event.ctrlKey || event.metaKey || target.closest('input,select,textarea')) return
  event.preventDefault()
  byId('q').focus()
})
`

export const live = hashedFile(
  'live',
  '.js',
  Buffer.from(script.replaceAll(/^ +/gm, '').replaceAll(/ ([=!&|]+>?) /g, '$1')),
)

/** The script of a page. `events`: the address of its stream of events. A page that is not live itself names another one, with the same frame. */
export const liveScript = (events: string, page = ''): Html =>
  html`<script type="module" src="${assetsPath}/${live.name}" data-events="${events}"${page === '' ? '' : html` data-page="${page}"`}></script>`

/** On the line above a live page. Without a script it says when the page was made. */
export const liveState = (now: number): Html =>
  html`<span class="live"><span>Live · times in UTC</span></span><span class="as-of">As of ${new Date(now).toISOString().slice(11, 19)} UTC, <a href="">load again</a></span>`
