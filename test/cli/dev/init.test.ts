import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manifest as own } from '../../journey/project.ts'
import { commandsIn, folderWith, saying } from '../command.ts'

const common = [
  ...['.dockerignore', '.env.example', '.gitignore', 'Dockerfile', 'README.md', 'package.json'],
  ...['provider.test.ts', 'provider.ts', 'tsconfig.json'],
]
const pages = ['brand.ts', 'logo.png', 'payments.ts', 'texts.json']
const templates = {
  full: [...common, ...pages, 'rates.ts'],
  rates: [...common, 'rates.ts', 'tariff.csv'],
  payments: [...common, ...pages],
}

const json = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'))
const templateFolder = (name: string) => new URL(`../../../templates/${name}/`, import.meta.url).pathname

describe.concurrent('init', () => {
  test.for(Object.entries(templates))('template %s has its files and nothing else', async ([name, files]) => {
    const cwd = folderWith()
    const { code, out, err } = await commandsIn(cwd)(`init --template ${name} --no-install`, 'My Carrier')
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('npm install')
    const project = join(cwd, 'My Carrier')
    expect(readdirSync(project).sort()).toEqual([...files].sort())

    const manifest = json(project, 'package.json')
    expect(manifest.name).toBe('my-carrier')
    expect(manifest.devDependencies.node).toMatch(/^\^24\./)
    expect(manifest.dependencies.purveyor).toMatch(/^(file:|\^\d)/)
    expect(readFileSync(join(project, '.gitignore'), 'utf8')).toContain('.env\n')
  })

  test.for(Object.entries(templates))('template %s is under 100 lines of source', ([name, files]) => {
    const folder = templateFolder(name)
    const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    const lines = sources.map((file) => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n').length)
    expect(lines.reduce((sum, count) => sum + count)).toBeLessThan(100)
  })

  test.for([
    ['full-folder', 'is not empty'],
    ['full-folder/notes.txt', 'is a file'],
  ] as const)('%s, which %s, stays as it is', async ([target, says]) => {
    const cwd = folderWith({ 'full-folder/notes.txt': 'mine' })
    const said = saying(2, `${target} ${says}, and nothing was written`)
    expect(await commandsIn(cwd)(`init ${target} --yes --no-install`)).toMatchObject(said)
    expect(readdirSync(join(cwd, 'full-folder'))).toEqual(['notes.txt'])
    expect(readFileSync(join(cwd, 'full-folder/notes.txt'), 'utf8')).toBe('mine')
  })

  test('an empty folder is fine, and so is the one it runs in', async () => {
    const cwd = join(folderWith(), 'carrier')
    mkdirSync(cwd)
    expect((await commandsIn(cwd)('init . --template rates --no-install')).code).toBe(0)
    expect(json(cwd, 'package.json').name).toBe('carrier')
  })

  const nameless = /^purveyor: Name the new folder: purveyor init <folder> --template full$/
  test.for<[line: string, says: string | RegExp]>([
    ['init shop --template nope', "argument 'nope' is invalid. Allowed choices are full, rates, payments."],
    // Without a terminal it asks nobody.
    ['init', nameless],
    ['init --yes', nameless],
  ])('%s says what to write and makes nothing', async ([line, says]) => {
    const cwd = folderWith()
    expect(await commandsIn(cwd)(line)).toMatchObject(saying(2, says))
    expect(readdirSync(cwd)).toEqual([])
  })
})

test('the oldest Node of a new project is that of Purveyor', () => {
  for (const name of Object.keys(templates))
    expect(json(templateFolder(name), 'package.json').engines).toEqual(own.engines)
})
