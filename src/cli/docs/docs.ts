import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { slug } from 'github-slugger'
import MiniSearch from 'minisearch'
import { json, plain } from '../table.ts'
import { complain, print, printTable, say } from '../terminal/print.ts'
import { withProgress } from '../terminal/progress.ts'
import { EnvironmentProblem, UsageError } from '../terminal/usage.ts'
import { type Section, searched, searchOptions, searchSections } from './search.ts'

type Found = { page: DocsPage } | { sections: Section[] } | { results: Section[] }

export const command = plain({
  description: 'print a page of the documentation, offline',
  examples: ['purveyor docs', 'purveyor docs which line wins'],
  arguments: {
    '[words...]': 'a page, a name, a command or a code, or words to search for; default: the index',
  },
  options: { '--open': 'open it in a browser', ...json },
  onOlderNode: true,
  async run({ words, open, json }) {
    const pages = readPages()
    const wanted = words.join(' ').trim()
    const found = find(pages, wanted)
    // The package comes with the reference; a checkout has none before its build.
    if (!pages.some(({ name }) => name.startsWith('reference/'))) {
      const unbuilt =
        'The reference (exports, options, commands, metrics, codes) and the site are not built here: run `npm run -s docs` in the repository.'
      if (open) throw new UsageError(unbuilt)
      if (wanted === '' || 'results' in found) complain(unbuilt)
    }
    if (open) return openInBrowser(found, json)
    if ('page' in found) return print(json, found.page, () => found.page.text.trimEnd().split('\n'))
    const linesOf = ({ page, lines }: Section) => ['', ...lines, '', `(purveyor docs ${page})`]
    if ('sections' in found)
      return print(json, found.sections, () => found.sections.flatMap(linesOf).slice(1))
    if (found.results.length === 0)
      throw new UsageError(`No page is about "${wanted}". \`purveyor docs\` lists all.`)
    printTable(json, found.results, '', { page: 'page', section: 'heading' })
  },
})

/** A page by its name, sections by their heading, or what a search finds. `Shops` is the name of the code, and `shops` that of the page. */
export function find(pages: readonly DocsPage[], wanted: string): Found {
  const name = wanted === '' ? 'README' : wanted.toLowerCase().replace(/\.md$/, '')
  const page = pages.find((one) => one.name.toLowerCase() === name.toLowerCase())
  const sections = pages.flatMap(sectionsOf)
  const ofCode = sections.filter((one) => one.page.startsWith('reference/') && one.heading === wanted)
  if (page && (page.name === wanted || ofCode.length === 0)) return { page }
  if (page) return { sections: ofCode }
  const exact = sections.filter(({ heading }) => plainName(heading) === plainName(wanted))
  if (exact.length > 0) return { sections: exact }
  const index = new MiniSearch(searchOptions)
  index.addAll(sections.map(searched))
  return { results: searchSections(index, wanted).map((id) => sections[id]!) }
}

/** `purveyor shop add` and `shop add` are one name, in any case. */
const plainName = (name: string): string =>
  name
    .replace(/^(?:purveyor |urn:purveyor:problem:)/i, '')
    .trim()
    .toLowerCase()

/** Opens the page in the site of the package, which needs no server. The first call makes the site. */
async function openInBrowser(found: Found, json: boolean | undefined): Promise<void> {
  const [section] = 'page' in found ? [] : 'sections' in found ? found.sections : found.results
  const name = 'page' in found ? found.page.name : (section?.page ?? 'README')
  const file = new URL(`${name === 'README' ? 'index' : name}.html`, site)
  // The site's last file.
  if (!existsSync(new URL('search-index.js', site))) {
    const { build } = await import(new URL('build.js', site).href)
    await withProgress('Making the site', build)
  }
  const path = fileURLToPath(file)
  if (section) file.hash = slug(section.heading)
  const openers: Partial<Record<string, string[]>> = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  const browser = spawn(command!, [...args, file.href], { stdio: 'ignore', detached: true })
  browser.unref()
  await once(browser, 'spawn').catch(() => {
    throw new EnvironmentProblem(`${command} does not start here. Open ${file.href} in a browser.`)
  })
  if (json) print(json, { opened: path + file.hash }, () => '')
  else say(`Opened ${path}${file.hash}`)
}

/** By its name as `purveyor docs` takes it: `rates` is `docs/rates.md`, `reference/options` is `dist/reference/options.md`. */
export type DocsPage = { name: string; text: string }

const folders = {
  '': new URL('../../../docs/', import.meta.url),
  // Made by the build: a checkout that was not built has none.
  'reference/': new URL('../../../dist/reference/', import.meta.url),
}

/** `npm run -s docs` makes the site here. The package has what makes it: `build.js`. */
export const site = new URL('../../../dist/site/', import.meta.url)

/** The pages of the package, guides first. */
export const readPages = (): DocsPage[] =>
  Object.entries(folders).flatMap(([prefix, folder]) => {
    // Node 20 has no `globSync`.
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.md')) : []
    const textOf = (file: string) => readFileSync(new URL(file, folder), 'utf8')
    return files.sort().map((file) => ({ name: prefix + basename(file, '.md'), text: textOf(file) }))
  })

/** Splits a page at its headings. Lines inside of code are none. */
export function sectionsOf({ name, text }: DocsPage): Section[] {
  const found: { heading: string; level: number; lines: string[] }[] = []
  let inCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) inCode = !inCode
    const [, marks = '', heading = ''] = (!inCode && /^(#{1,6}) +(.+)$/.exec(line)) || []
    if (marks) found.push({ heading: heading.replaceAll('`', ''), level: marks.length, lines: [line] })
    else found.at(-1)?.lines.push(line)
  }
  const title = found[0]?.heading ?? name
  return found.map(({ lines, ...one }) => {
    return { page: name, title, ...one, lines: lines.at(-1) === '' ? lines.slice(0, -1) : lines }
  })
}
