import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

export interface DocsPage {
  /** As `purveyor docs` takes it: `rates` is `docs/rates.md`, `reference/options` is `dist/reference/options.md`. */
  name: string
  text: string
}

/** A heading of a page, with the text up to the next heading of any level. */
export interface Section {
  page: string
  title: string
  heading: string
  level: number
  /** As they stand in the page, the heading included. */
  lines: readonly string[]
}

const folders = {
  '': new URL('../../../docs/', import.meta.url),
  // Made by the build: a checkout that was not built has none.
  'reference/': new URL('../../../dist/reference/', import.meta.url),
}

/** `npm run -s docs` makes the site here. The package has what makes it: `build.js`. */
export const site = new URL('../../../dist/site/', import.meta.url)

/** The pages of the package, guides first. */
export const readPages = (): DocsPage[] =>
  Object.entries(folders).flatMap(([prefix, folder]) =>
    // Node 20 has no `globSync`.
    (existsSync(folder) ? readdirSync(folder) : [])
      .filter((file) => file.endsWith('.md'))
      .sort()
      .map((file) => ({
        name: `${prefix}${basename(file, '.md')}`,
        text: readFileSync(new URL(file, folder), 'utf8'),
      })),
  )

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

/** The anchor of a heading, as the site and code hosts make it. A second heading of the same words on a page has another. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
