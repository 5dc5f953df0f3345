import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { builtTypes, withBuiltPackage } from '../built.ts'
import { folderWith } from '../folder.ts'
import { repository } from '../journey/project.ts'
import { guides } from './pages.ts'

const run = promisify(execFile)
const blocks = guides.flatMap(({ path, blocks }) =>
  blocks
    .filter(({ language }) => language === 'ts')
    .map(({ code, line }) => ({
      code,
      place: `${path}:${line}`,
      file: `${path.replace(/\W/g, '-')}-${line}`,
    })),
)

// Inside the repository, so that `purveyor` and its packages are found; removed afterwards.
const folder = folderWith({}, join(repository, 'node_modules/.cache'))

test('every TypeScript block has sound types', async () => {
  expect(blocks.length).toBeGreaterThan(15)
  for (const { file, code } of blocks) writeFileSync(join(folder, `${file}.ts`), `${code}\nexport {}\n`)
  // The declarations that users get.
  const types = await builtTypes()
  const tsconfig = {
    extends: '../../../tsconfig.json',
    compilerOptions: { paths: pathsIn(types) },
    include: ['*.ts'],
    exclude: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  const { stdout } = await run(join(repository, 'node_modules/.bin/tsc'), [
    '-p',
    folder,
    '--checkers',
    '1',
  ]).catch((error) => error)
  expect(stdout).toBe('')
})

/** The entry points of the package, as declarations below a folder. */
function pathsIn(types: string): Record<string, string[]> {
  const { exports } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    exports: Record<string, string>
  }
  return Object.fromEntries(
    Object.entries(exports)
      .filter(([, file]) => file.endsWith('.js'))
      .map(([path, file]) => [
        path.replace('.', 'purveyor'),
        [join(types, file.replace('./dist/', '').replace(/js$/, 'd.ts'))],
      ]),
  )
}

test('a value in an address is escaped: a customer may type `1000&account=2` as zipcode', () => {
  const asIs = /\$\{(?!encodeURIComponent\(|new URLSearchParams\(|(?:asked|payment)\})/
  // Its states are words of our own.
  const addresses = blocks.flatMap(({ place, code }) =>
    [...code.matchAll(/`https:\/\/(?!app\.example)[^\n]*/g)].map(([address]) => ({ place, address })),
  )
  expect(addresses.length).toBeGreaterThan(3)
  expect(addresses.filter(({ address }) => asIs.test(address))).toEqual([])
})

const env = {
  ...process.env,
  PURVEYOR_DATABASE_URL: 'sqlite::memory:',
  PORT: '0',
  NODE_ENV: 'development',
}

/** Runs a file with `purveyor` as it is built from this working copy. */
const node = async (file: string) =>
  run(process.execPath, [...(await withBuiltPackage()), file], { env, cwd: repository })

/** Types are not stripped below node_modules. */
function script(name: string, code: string): string {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, stripTypeScriptTypes(code))
  return file
}

// Tests of a block are run by its own process, and end it.
const isTest = ({ code }: { code: string }) => code.includes("from 'node:test'")

test('every TypeScript block runs', async () => {
  const together = blocks.filter((block) => !isTest(block))
  const files = together.map(({ file, code }) => script(file, code))
  const all = together.map(
    ({ place }, at) =>
      `await import(${JSON.stringify(files[at])}).catch((error) => failed.push([${JSON.stringify(place)}, String(error)]))`,
  )
  const runner = script(
    'all',
    `const failed = []\n${all.join('\n')}\nconsole.log('\\n' + JSON.stringify(failed))\nprocess.exit()`,
  )
  const { stdout } = await node(runner)
  expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toEqual([])
})

test.each(blocks.filter(isTest))('the tests of $place pass', async ({ file, code }) => {
  await node(script(`${file}-test`, code))
})

test('every block of JSON and YAML can be read', () => {
  const readers: Record<string, (text: string) => unknown> = { json: JSON.parse, yaml: parse }
  for (const { path, blocks } of guides)
    for (const { language, code, line } of blocks)
      expect(() => readers[language]?.(code), `${path}:${line}`).not.toThrow()
})
