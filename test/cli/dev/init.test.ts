import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeNote } from '../../../src/cli/dev/init.ts'
import { folderWith, purveyor } from '../command.ts'

const common = [
  '.dockerignore',
  '.env.example',
  '.gitignore',
  'Dockerfile',
  'README.md',
  'package.json',
  'provider.test.ts',
  'provider.ts',
  'tsconfig.json',
]
const pages = ['brand.ts', 'logo.png', 'payments.ts', 'texts.json']
const templates = {
  full: [...common, ...pages, 'rates.ts'],
  rates: [...common, 'rates.ts', 'tariff.csv'],
  payments: [...common, ...pages],
}

describe.concurrent('init', () => {
  test.for(Object.entries(templates))('template %s has its files and nothing else', async ([name, files]) => {
    const cwd = folderWith()
    const { code, stdout, stderr } = await purveyor(
      ['init', 'My Carrier', '--template', name, '--no-install'],
      { cwd },
    )
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('npm install')
    const project = join(cwd, 'My Carrier')
    expect(readdirSync(project).sort()).toEqual([...files].sort())

    const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    expect(manifest.name).toBe('my-carrier')
    expect(manifest.devDependencies.node).toMatch(/^\^24\./)
    expect(manifest.dependencies.purveyor).toMatch(/^(file:|\^\d)/)
    expect(readFileSync(join(project, '.gitignore'), 'utf8')).toContain('.env\n')
  })

  test.for(Object.entries(templates))('template %s is under 100 lines of source', ([name, files]) => {
    const folder = new URL(`../../../templates/${name}/`, import.meta.url).pathname
    const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    const lines = sources.map((file) => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n').length)
    expect(lines.reduce((sum, count) => sum + count)).toBeLessThan(100)
  })

  test.for([
    ['full-folder', 'is not empty'],
    ['full-folder/notes.txt', 'is a file'],
  ] as const)('%s, which %s, stays as it is', async ([target, says]) => {
    const cwd = folderWith({ 'full-folder/notes.txt': 'mine' })
    const { code, stderr } = await purveyor(['init', target, '--yes', '--no-install'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain(`${target} ${says}, and nothing was written`)
    expect(readdirSync(join(cwd, 'full-folder'))).toEqual(['notes.txt'])
    expect(readFileSync(join(cwd, 'full-folder/notes.txt'), 'utf8')).toBe('mine')
  })

  test('an empty folder is fine, and so is the one it runs in', async () => {
    const cwd = join(folderWith(), 'carrier')
    mkdirSync(cwd)
    const { code } = await purveyor(['init', '.', '--template', 'rates', '--no-install'], { cwd })
    expect(code).toBe(0)
    expect(JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')).name).toBe('carrier')
  })

  test('an unknown template names the choices and makes nothing', async () => {
    const cwd = folderWith()
    const { code, stderr } = await purveyor(['init', 'shop', '--template', 'nope'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain("argument 'nope' is invalid. Allowed choices are full, rates, payments.")
    expect(readdirSync(cwd)).toEqual([])
  })

  test.for([[[]], [['--yes']]])(
    'without a folder and a terminal it says what to write: %s',
    async ([more]) => {
      const cwd = folderWith()
      const { code, stderr } = await purveyor(['init', ...more!], { cwd })
      expect(code).toBe(2)
      expect(stderr).toBe('purveyor: Name the new folder: purveyor init <folder> --template full\n')
      expect(readdirSync(cwd)).toEqual([])
    },
  )
})

describe('init on an older Node', () => {
  test('says in two lines that the project has its own, and what to do about the warnings of npm', () => {
    const [first, second, ...rest] = nodeNote('20.20.2')
    expect(first).toBe(
      'This machine has Node 20.20.2. The project has a Node 24 of its own, which its npm scripts use: there is nothing to do.',
    )
    expect(second).toContain('EBADENGINE')
    expect(second).toContain('install Node 24')
    expect(rest).toEqual([''])
  })

  test.each(['24.15.0', '24.21.0', '25.0.0', '100.1.0'])('says nothing on %s', (version) => {
    expect(nodeNote(version)).toEqual([])
  })

  test.each(['24.9.9', '24.14.9', '22.19.0', '20.20.2'])('says it on %s', (version) => {
    expect(nodeNote(version)).toHaveLength(3)
  })
})

test('the oldest Node of a new project is that of Purveyor', () => {
  const read = (file: string) =>
    JSON.parse(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'))
  for (const name of Object.keys(templates))
    expect(read(`templates/${name}/package.json`).engines).toEqual(read('package.json').engines)
})
