import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repository } from '../journey/project.ts'
import { commandsIn, folderWith, printing, saying } from './command.ts'

/** Makes of this Node one that says it is 20 and has no SQLite and no glob, as Node 20. */
const asNode20 = `import fs from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'

delete fs.globSync
syncBuiltinESMExports()

Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'node:sqlite') throw new Error('No such built-in module: node:sqlite')
    return next(specifier, context)
  },
})
`

/** The line of a package that is installed, as the tests build it. */
const inPackage = (command: string) =>
  `npx --package node@24 --package <purveyor> purveyor ${command} ... Put the name or file that you install Purveyor from in place of <purveyor>`

const cwd = folderWith({ 'node-20.mjs': asNode20, 'here/note.txt': 'mine' })
const onNode20 = commandsIn(cwd, { NODE_OPTIONS: `--import=${join(cwd, 'node-20.mjs')}` })

describe.concurrent('on Node 20', () => {
  test.for([
    'check https://shop.example.com/e/1',
    'doctor',
    'dev',
    // Its cases and rules load a store.
    'explain CONFIGURATION_INVALID',
    'rates lint tariff.csv',
  ])('%s says which Node it needs, and how to get it', async (line) => {
    const needs =
      'This command needs Node 24.15 or newer, but this is Node 20.20.2. Run this line, which brings its own Node:'
    const err = `purveyor: ${needs} ${inPackage(line.split(' ')[0]!)}`
    expect(await onNode20(line)).toEqual({ code: 3, out: '', err })
  })

  test.each(['check', 'sandbox'])('the page of %s has the same line', async (page) => {
    const text = readFileSync(join(repository, `docs/${page}.md`), 'utf8')
    const [before] = inPackage(page).split('<purveyor>')
    expect(text).toContain(`\n${before}./purveyor-0.1.0.tgz purveyor ${page} http`)
  })

  const same = ['completion bash', 'docs start', 'docs registration of a shop']
  test.for(same)('%s prints as on any Node', async (line) => {
    const printed = await onNode20(line)
    expect(printed).toMatchObject(printing(0, /purveyor|page/))
    expect(printed).toEqual(await commandsIn(cwd)(line))
  })

  test('a shell that starts with the completion has no line on its screen', async () => {
    expect((await onNode20('completion bash')).err).toBe('')
    expect(await onNode20('complete -- do')).toEqual({ ...printing(0, /^docs\t/m), err: '' })
  })

  test('an error of init has its sentence and its code, also one of the disk', async () => {
    expect(await onNode20('init here --no-install')).toMatchObject(saying(2, 'here is not empty'))
    const disk = await onNode20('init here/note.txt/new --no-install')
    expect(disk).toMatchObject(saying(3, /^purveyor: ENOTDIR: .*$/))
  })
})
