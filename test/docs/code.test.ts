import { writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { builtTypes, withBuiltPackage } from '../built.ts'
import { folderWith } from '../folder.ts'
import { compiled, manifest, repository, run } from '../journey/project.ts'
import { blocksOf } from './pages.ts'

const blocks = blocksOf('ts').map((block) => ({ ...block, file: block.place.replace(/\W/g, '-') }))

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
  expect(await compiled(folder)).toBe('')
})

/** The entry points of the package, as declarations below a folder. */
function pathsIn(types: string): Record<string, string[]> {
  const entries = Object.entries(manifest.exports).filter(([, file]) => file.endsWith('.js'))
  const declared = (file: string) => join(types, file.replace('./dist/', '').replace(/js$/, 'd.ts'))
  return Object.fromEntries(entries.map(([path, file]) => [path.replace('.', 'purveyor'), [declared(file)]]))
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

const own = {
  ...{ PURVEYOR_DATABASE_URL: 'sqlite::memory:', PORT: '0', NODE_ENV: 'development' },
  OPENID_SECRET: 'as the OpenID provider gave it',
}

/** Runs a file with `purveyor` as it is built from this working copy. */
const node = async (file: string) => {
  const where = { env: { ...process.env, ...own }, cwd: repository }
  return run(process.execPath, [...(await withBuiltPackage()), file], where)
}

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
  const imports = together.map(({ file, code, place }) => {
    const [from, name] = [script(file, code), place].map((text) => JSON.stringify(text))
    return `await import(${from}).catch((error) => failed.push([${name}, String(error)]))`
  })
  const end = "console.log('\\n' + JSON.stringify(failed))\nprocess.exit()"
  const { stdout } = await node(script('all', ['const failed = []', ...imports, end].join('\n')))
  expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toEqual([])
})

test.each(blocks.filter(isTest))('the tests of $place pass', async ({ file, code }) => {
  await node(script(`${file}-test`, code))
})

test('every block of JSON and YAML can be read', () => {
  for (const { code, place } of blocksOf('json')) expect(() => JSON.parse(code), place).not.toThrow()
  for (const { code, place } of blocksOf('yaml')) expect(() => parse(code), place).not.toThrow()
})
