// Makes dist/: the plain JavaScript that is published, with the files that are read at run time beside it.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

rmSync('dist', { recursive: true, force: true })
execFileSync('node_modules/.bin/tsc', ['-p', 'src'], { stdio: 'inherit' })
cpSync('src/http/pages/texts', 'dist/http/pages/texts', { recursive: true })

// The built-in sample: below node_modules Node strips no types.
mkdirSync('dist/templates/full', { recursive: true })
for (const name of ['provider', 'rates', 'payments']) {
  const source = readFileSync(`templates/full/${name}.ts`, 'utf8')
  const plain = stripTypeScriptTypes(source).replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'")
  writeFileSync(`dist/templates/full/${name}.js`, plain)
}
