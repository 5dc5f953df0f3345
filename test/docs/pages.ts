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

/** A page of `docs/` by its name. */
export function guide(name: string): Placed {
  const found = guides.find(({ path }) => path === `docs/${name}.md`)
  if (!found) throw new Error(`There is no page docs/${name}.md`)
  return found
}
