// Makes dist/: the plain JavaScript that is published, with its types and the files that are read at run time.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { bundle } from './bundle.ts'

rmSync('dist', { recursive: true, force: true })
execFileSync('node_modules/.bin/tsc', ['-p', 'src'], { stdio: 'inherit' })
await bundle('dist')
