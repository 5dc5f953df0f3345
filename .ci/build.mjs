// Makes dist/: the plain JavaScript that is published, with its types, the files that are read at run time, the reference and the site.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { bundle } from './bundle.ts'
import { buildDocs } from './docs/build.ts'

rmSync('dist', { recursive: true, force: true })
execFileSync('node_modules/.bin/tsc', ['-p', 'src'], { stdio: 'inherit' })
await bundle('dist')
// The types say what the reference says.
await buildDocs('dist', 'dist')
