import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { shrinkTypes } from '../../.ci/types.ts'
import { builtDocs, builtPackage, builtTypes } from '../built.ts'
import { manifest, repository } from './project.ts'

/** Puts the package as it is published into a folder, made from what other tests have built too. */
export async function stagePackage(to: string): Promise<void> {
  const files = manifest.files.filter((one) => one !== 'dist')
  for (const part of ['package.json', 'README.md', 'LICENSE', ...files])
    await cp(join(repository, part), join(to, part), { recursive: true })
  await stageBuild(join(to, 'dist'))
}

/** Makes what `npm run build` makes. */
export async function stageBuild(dist: string): Promise<void> {
  const [built, types, docs] = await Promise.all([builtPackage(), builtTypes(), builtDocs()])
  for (const from of [types, join(built, 'dist')]) await cp(from, dist, { recursive: true })
  await cp(join(docs, 'reference'), join(dist, 'reference'), { recursive: true })
  for (const file of ['site.js', 'site.css']) await cp(join(docs, 'site', file), join(dist, 'site', file))
  shrinkTypes(dist)
}
