#!/usr/bin/env node
// `npm create purveyor my-provider` runs this: it is `purveyor init my-provider`.
import { readFileSync } from 'node:fs'

const manifest = new URL(import.meta.resolve('purveyor/package.json'))
const { bin } = JSON.parse(readFileSync(manifest, 'utf8'))
process.argv.splice(2, 0, 'init')
await import(new URL(bin.purveyor, manifest).href)
