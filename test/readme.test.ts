import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const repository = new URL('..', import.meta.url).pathname
const readme = readFileSync(join(repository, 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([whole, language, code]) => ({
  language,
  code: code!,
  line: readme.slice(0, readme.indexOf(whole)).split('\n').length + 1,
}))
const typescript = blocks.filter(({ language }) => language === 'ts')

// Inside the repository, so that `purveyor` and its packages are found; removed afterwards.
const folder = mkdtempSync(join(repository, 'node_modules/.readme-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('the first screen reaches running code by line 25', () => {
  expect(blocks[0]!.language).toBe('ts')
  expect(blocks[0]!.line).toBeLessThan(25)
})

test('every TypeScript block has sound types', async () => {
  for (const [place, { code }] of typescript.entries())
    writeFileSync(join(folder, `block-${place}.ts`), `${code}\nexport {}\n`)
  const tsconfig = {
    extends: '../../tsconfig.json',
    compilerOptions: { baseUrl: undefined },
    include: ['*.ts'],
    exclude: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  const { stdout } = await run(join(repository, 'node_modules/.bin/tsc'), ['-p', folder]).catch(
    (error) => error,
  )
  expect(stdout).toBe('')
})

describe('every TypeScript block runs', () => {
  test.each(typescript.map(({ line, code }) => ({ line, code })))('line $line', async ({ code, line }) => {
    // Types are not stripped below node_modules.
    const file = join(folder, `run-${line}.mjs`)
    const { stripTypeScriptTypes } = await import('node:module')
    // A block that serves is stopped once it does.
    const ending = code.includes('.listen(') ? 'process.exit(0)' : ''
    writeFileSync(file, `${stripTypeScriptTypes(code)}\n${ending}`)
    const env = {
      ...process.env,
      PURVEYOR_DATABASE_URL: 'sqlite::memory:',
      PORT: '0',
      NODE_ENV: 'development',
    }
    await run(process.execPath, ['--import', join(repository, 'test/from-source.ts'), file], {
      env,
      cwd: folder,
    })
  })
})

test('every command of README exists', async () => {
  const { stdout } = await run('node', ['src/cli/main.ts', '--help'], { cwd: repository })
  const named = [...readme.matchAll(/^\| `purveyor (\w+)/gm)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(3)
  for (const name of named) expect(stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'))
  const scripts = Object.keys(JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')).scripts)
  for (const [, script] of readme.matchAll(/`npm (?:run (?:-s )?)?(start|test|bench|purveyor)\b/g))
    expect(scripts).toContain(script)
})
