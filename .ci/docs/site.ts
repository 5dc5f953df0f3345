import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import GithubSlugger from 'github-slugger'
import MiniSearch from 'minisearch'
import { sectionsOf } from '../../src/cli/docs/docs.ts'
import { searched, searchOptions } from '../../src/cli/docs/search.ts'
import { markdown, pageOf } from './page.ts'
import { type NavGroup, Renderer, type SitePage } from './render.ts'

/** Pages about Purveyor itself. The package leaves out those for people who change it. */
const project = ['CHANGELOG', 'SECURITY', 'ARCHITECTURE', 'CONTRIBUTING']

/**
 * Makes the site from `docs/` of this repository or package and its reference: files that need no server, no network and no JavaScript.
 * `writeSiteAssets` puts beside them what they load. The search index is written last.
 */
export async function buildSite(
  root: string,
  reference: string,
  out: string,
): Promise<{ pages: number; sections: number }> {
  const pages = new Map<string, SitePage>()
  const add = (path: string, file: string, href: string) => {
    const text = readFileSync(file, 'utf8')
    const tokens = markdown.parse(text, {})
    pages.set(path, { ...pageOf(basename(file, '.md'), text, tokens), href, tokens })
  }
  for (const file of globSync('*.md', { cwd: join(root, 'docs') }))
    add(
      `docs/${file}`,
      join(root, 'docs', file),
      file.replace('README.md', 'index.md').replace('.md', '.html'),
    )
  for (const file of globSync('*.md', { cwd: reference }))
    add(
      `reference/${file}`,
      join(reference, file),
      `reference/${file.replace('README', 'index').replace('.md', '.html')}`,
    )
  const ofProject = project.filter((name) => existsSync(join(root, `${name}.md`)))
  for (const name of ofProject)
    add(`${name}.md`, join(root, `${name}.md`), `project/${name.toLowerCase()}.html`)

  const groups = [
    ...groupsIn(pages, 'docs/README.md'),
    ...groupsIn(pages, 'reference/README.md').map((group) => ({
      ...group,
      title: `Reference: ${group.title}`,
    })),
    { title: 'Project', pages: ofProject.map((name) => pages.get(`${name}.md`)!) },
  ]
  const renderer = new Renderer(groups, exportedIn(pages))
  for (const [path, page] of pages) {
    const file = join(out, page.href)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, await renderer.page(page, (href) => linkFrom(pages, path, href)))
    writeFileSync(file.replace(/html$/, 'md'), asMarkdown(pages, path, page.text))
  }
  writeFileSync(join(out, '404.html'), await renderer.page(notFound, (href) => href))
  writeFileSync(join(out, 'llms.txt'), llmsText(groups))
  for (const drawing of globSync('*.{svg,jpg}', { cwd: join(root, 'docs') }))
    cpSync(join(root, 'docs', drawing), join(out, drawing))
  return { pages: pages.size, sections: writeIndex([...pages.values()], join(out, 'search-index.js')) }
}

/** The address of each exported name. A name of two entry points is that of the first. */
function exportedIn(pages: ReadonlyMap<string, SitePage>): Map<string, string> {
  const all = [...pages.values()].filter(({ name }) => name.startsWith('exports-'))
  const sorted = all.toSorted(
    (one, other) => Number(other.name === 'exports-purveyor') - Number(one.name === 'exports-purveyor'),
  )
  const found = sorted.flatMap(({ href, headings }) =>
    headings.filter(({ level }) => level === 3).map(({ text, slug }) => [text, `${href}#${slug}`] as const),
  )
  return new Map(found.reverse())
}

/** A page as Markdown beside its HTML, with links to such pages. */
const asMarkdown = (pages: ReadonlyMap<string, SitePage>, path: string, text: string): string =>
  text.replace(/\]\(([^)\s]+)\)/g, (_whole, href: string) => {
    const link = linkFrom(pages, path, href)
    return `](${/^[a-z]+:/.test(link) ? link : link.replace(/\.html(?=#|$)/, '.md')})`
  })

const notFoundText =
  '# This page is not here\n\nThe address may be old. [The index](index.html) lists all pages, and the search above finds a word, a command or a code.\n'
const notFoundTokens = markdown.parse(notFoundText, {})
const notFound: SitePage = {
  ...pageOf('404', notFoundText, notFoundTokens),
  href: '404.html',
  tokens: notFoundTokens,
}

/** The list of pages for programs that read (llmstxt.org). */
const llmsText = (groups: readonly NavGroup[]): string =>
  `# Purveyor

> A TypeScript framework that connects shipping carriers and payment providers to a shop's checkout.

${groups
  .map(
    ({ title, pages }) =>
      `## ${title}\n\n${pages.map((page) => `- [${page.title}](${page.href.replace(/html$/, 'md')})`).join('\n')}\n`,
  )
  .join('\n')}`

/** The headings of an index page, each with the pages that it links to. */
function groupsIn(pages: ReadonlyMap<string, SitePage>, index: string): NavGroup[] {
  const page = pages.get(index)!
  const headings = page.headings.filter(({ level }) => level === 2)
  return headings
    .map(({ text, line }, place) => ({
      title: text,
      pages: page.links
        .filter(
          (link) => link.line > line && link.line < (headings[place + 1]?.line ?? Number.POSITIVE_INFINITY),
        )
        .flatMap(({ href }) => pages.get(posix.join(posix.dirname(index), href.split('#')[0]!)) ?? []),
    }))
    .filter((group) => group.pages.length > 0)
}

/** The address of a link on the site. Files that are no pages of it are named as they are. */
function linkFrom(pages: ReadonlyMap<string, SitePage>, path: string, href: string): string {
  if (/^([a-z]+:|#)/.test(href)) return href
  const [to = '', anchor] = href.split('#')
  // The reference lies in `dist/reference` of the package, and its pages name those of `docs/` from there.
  const target = pages.get(posix.join(posix.dirname(path), to).replace(/^\.\.\//, ''))
  if (!target) return href
  const relative = posix.relative(posix.dirname(pages.get(path)!.href), target.href)
  return anchor === undefined ? relative : `${relative}#${anchor}`
}

function writeIndex(pages: readonly SitePage[], file: string): number {
  const sections = pages.flatMap((page) => {
    const slugger = new GithubSlugger()
    return sectionsOf(page).map((section) => ({
      ...section,
      href: `${page.href}#${slugger.slug(section.heading)}`,
    }))
  })
  const index = new MiniSearch(searchOptions)
  index.addAll(sections.map(searched))
  const shown = sections.map(({ href, heading, title }) => ({ href, heading, title }))
  writeFileSync(
    file,
    `globalThis.purveyorDocs = { sections: ${JSON.stringify(shown)}, index: ${JSON.stringify(JSON.stringify(index))} }\n`,
  )
  return sections.length
}
