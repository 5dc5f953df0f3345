// `npm run -s docs`: makes the reference and the site from `docs/` and the code, in `dist/reference` and `dist/site`. Needs no network.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeReference } from './reference.ts'
import { buildSite } from './site.ts'
import { writeSiteAssets } from './site-assets.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** `types` is a folder of declaration files that `tsc -p src` wrote. */
export async function buildDocs(types: string, out: string): Promise<{ pages: number; sections: number }> {
  for (const folder of ['reference', 'site']) rmSync(join(out, folder), { recursive: true, force: true })
  await writeReference(types, join(out, 'reference'))
  await writeSiteAssets(join(out, 'site'))
  return buildSite(repository, join(out, 'reference'), join(out, 'site'))
}

if (process.argv[1] === import.meta.filename) {
  const start = performance.now()
  const types = mkdtempSync(join(tmpdir(), 'purveyor-types-'))
  // `npm test` checks the types.
  execFileSync('node_modules/.bin/tsc', ['-p', 'src', '--noCheck', '--outDir', types], {
    cwd: repository,
    stdio: 'inherit',
  })
  const { pages, sections } = await buildDocs(types, join(repository, 'dist'))
  rmSync(types, { recursive: true })
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`dist/site/index.html: ${pages} pages, ${sections} sections, in ${seconds} s`)
}
