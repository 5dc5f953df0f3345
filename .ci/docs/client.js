// The search of the site. Without JavaScript the pages are whole and the search stays hidden.
import MiniSearch from 'minisearch'
import { searchOptions, searchSections } from '../../src/cli/docs/search.ts'

const form = document.querySelector('search')
const input = form.querySelector('input')
const results = form.querySelector('ul')
const count = form.querySelector('output')
const root = document.documentElement.dataset.root
let index
let sections = []

form.hidden = false

// The list of pages scrolls by itself beside the text: it begins where the reader is.
const pages = document.querySelector('nav.all')
const current = pages.querySelector('[aria-current]')
if (current && pages.scrollHeight > pages.clientHeight)
  pages.scrollTop = current.offsetTop - pages.offsetTop - pages.clientHeight / 3

/** The index is a script, so that the pages also work from a folder. It is loaded when somebody is about to search. */
function load() {
  if (index) return
  index = new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${root}search-index.js`
    script.onload = () => {
      sections = globalThis.purveyorDocs.sections
      resolve(MiniSearch.loadJSON(globalThis.purveyorDocs.index, searchOptions))
    }
    script.onerror = reject
    document.head.append(script)
  })
}

async function search() {
  const words = input.value.trim()
  load()
  const loaded = await index
  if (words !== input.value.trim()) return
  const start = performance.now()
  const found = words.length < 2 ? [] : searchSections(loaded, words)
  results.replaceChildren(...found.map((id) => item(sections[id])))
  count.textContent = words.length < 2 ? '' : found.length === 0 ? 'Nothing found' : `${found.length} found`
  form.dataset.ms = String(performance.now() - start)
}

function item({ href, heading, title }) {
  const link = document.createElement('a')
  link.href = `${root}${href}`
  link.append(heading)
  if (title !== heading) {
    const page = document.createElement('small')
    page.textContent = title
    link.append(' ', page)
  }
  const line = document.createElement('li')
  line.append(link)
  return line
}

function close() {
  results.replaceChildren()
  count.textContent = ''
}

input.addEventListener('focus', load)
input.addEventListener('input', search)
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    close()
    input.focus()
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  const stops = [input, ...results.querySelectorAll('a')]
  stops[stops.indexOf(document.activeElement) + step]?.focus()
  event.preventDefault()
})
document.addEventListener('click', (event) => {
  if (!form.contains(event.target)) close()
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input')) return
  event.preventDefault()
  input.focus()
})

// Code is copied as it stands. A button comes after its block, so that reading meets the code first.
for (const block of document.querySelectorAll('main pre')) {
  if (!navigator.clipboard || block.classList.contains('declaration')) continue
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent.trimEnd())
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2_000)
  })
  const place = document.createElement('div')
  place.className = 'code'
  block.replaceWith(place)
  place.append(block, button)
}
