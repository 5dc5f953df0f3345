import { globSync } from 'node:fs'
import { join } from 'node:path'
import { type Page, readPage } from '../../.ci/docs/page.ts'
import { repository } from '../journey/project.ts'

/** A page of the repository by its path. */
export interface Placed extends Page {
  path: string
}

const read = (path: string): Placed => ({ path, ...readPage(join(repository, path)) })

/** README and what `purveyor docs` shows: every block in them runs. */
export const guides: readonly Placed[] = [
  'README.md',
  ...globSync('docs/*.md', { cwd: repository }).sort(),
].map(read)

/** All pages of the repository. */
export const allPages: readonly Placed[] = [
  ...guides,
  ...globSync(['*.md', '{examples,templates}/*/README.md'], { cwd: repository, exclude: ['README.md'] })
    .sort()
    .map(read),
]

/** A page by its path, and one of `docs/` by its name. */
export function pageAt(path: string): Placed {
  const found = guides.find((one) => one.path === path)
  if (!found) throw new Error(`There is no page ${path}`)
  return found
}
export const guide = (name: string): Placed => pageAt(`docs/${name}.md`)

/** The blocks of code in a language, each with its address. */
export const blocksOf = (language: string, pages: readonly Placed[] = guides) =>
  pages.flatMap(({ path, blocks }) =>
    blocks
      .filter((block) => block.language === language)
      .map(({ code, line }) => ({ code, line, path, place: `${path}:${line}` })),
  )
