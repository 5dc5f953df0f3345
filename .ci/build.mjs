// Makes dist/: the plain JavaScript that is published, with its types, the files that are read at run time, the reference, and what makes
// the site of them.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { bundle } from './bundle.ts'
import { writeReference } from './docs/reference.ts'
import { writeSiteAssets } from './docs/site-assets.ts'
import { shrinkTypes } from './types.ts'

rmSync('dist', { recursive: true, force: true })
// `npm test` checks the types. To write them takes a third of the time without that.
execFileSync('node_modules/.bin/tsc', ['-p', 'src', '--noCheck', '--checkers', '1'], { stdio: 'inherit' })
await bundle('dist')
// The types say what the reference says.
await writeReference('dist', 'dist/reference')
shrinkTypes('dist')
await writeSiteAssets('dist/site')
