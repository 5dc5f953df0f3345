import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readJsonFile } from '../../../src/cli/terminal/read-input.ts'
import { fileWith } from '../../folder.ts'
import { commandsIn, folderWith, providerSource, purveyor } from '../command.ts'

const files = {
  'provider.ts': providerSource(),
  'bad.json': 'not json sk_live_1',
  'list.json': '[]',
  'wrong.json': '{"units":5,"nope":1,"productFacts":"x"}',
  'body.json': '{"shop":{}}',
  'empty.csv': '',
  'quote.csv': 'id,title,country\na"b,"x,nl\n',
  'wrong.csv': 'a,b\n1,2\n',
  'folder/readme.txt': 'x',
  'calls/0001-x.json': '{}',
  'nested/0001-x.json/readme.txt': 'x',
}

const inputs = ['bad.json', 'list.json', 'wrong.json', 'body.json', 'empty.csv', 'quote.csv', 'wrong.csv']

/** Words of validators and of Node. */
const raw =
  /Invalid input|Invalid option|expected .+, received|Unexpected token|ZodError|is not supported resolving|ERR_|EISDIR|ENOENT|SyntaxError|\n\s+at |sk_live/

test.for([
  'shop settings bikes --file',
  'shop add cars --settings',
  'shop import',
  'rates explain --file',
  'rates lint',
  'rates preview --to nl',
  'rates diff wrong.csv',
  'simulate replay',
])('%s says of wrong input what is wrong, in its own words', { timeout: 300_000 }, async (line) => {
  const run = commandsIn(folderWith(files))
  await run('shop add bikes')
  for (const input of [...inputs, 'nowhere.json', 'nowhere.csv', 'folder', 'calls', 'nested']) {
    const { code, out, err } = await run(line, input)
    expect(err, input).toMatch(/^purveyor: ./)
    expect(out + err, input).not.toMatch(raw)
    expect([1, 2], input).toContain(code)
  }
})

const no = 'must be an object'
test.for<[line: string, says: string]>([
  ['shop settings bikes --file folder', 'folder is a folder. Name one with the settings as JSON'],
  ['shop settings bikes --file empty.csv', 'empty.csv is empty. It must be the settings as JSON.'],
  ['shop settings bikes --file wrong.json', `  units ${no}\n  productFacts ${no}\n  nope is not a setting`],
  ['rates explain --file body.json', 'shipment_methods:\n  shop.currency is missing\n  quote is missing\n'],
  ['simulate replay nested', 'nested/0001-x.json is a folder: remove it.\n'],
  ['rates lint nowhere.csv', 'nowhere.csv is not there: paths begin at'],
  ['rates lint quote.csv', 'is not CSV: a quote opens in the middle of a cell'],
  ['rates lint bad.json', '\n  bad.json file: is not JSON\n'],
  ['rates preview --provider folder --to nl', 'folder is a folder. Name the file that exports'],
  ['rates preview provider.ts --to nl', 'provider.ts is not a tariff. Name a tariff: a .csv or .json file'],
  ['serve --provider bad.json', 'bad.json is not a .ts or .js file.'],
  ['check http://127.0.0.1:1/ --junit folder', 'The report cannot be written to folder: it is a folder.'],
  ['webhooks replay 1042 --since 2h', 'Name an order, or --since with a time, and not both.'],
  [
    'shop import wrong.csv --dry-run --endpoints x',
    "option '--dry-run' cannot be used with option '--endpoints <file>'",
  ],
])('%s', async ([line, says]) => {
  const cwd = folderWith(files)
  await purveyor('shop add bikes', { cwd })
  const { code, stderr } = await purveyor(line, { cwd })
  expect(stderr).toContain(says)
  expect(code).toBe(says.includes('is not CSV') || says.includes('is not JSON') ? 1 : 2)
})

test('JSON and .env are read with the mark of an editor, and refused in another charset', async () => {
  const file = fileWith('a.json', '\ufeff{"a":"é"}')
  expect(readJsonFile(file, 'x')).toEqual({ a: 'é' })
  writeFileSync(file, '\ufeff{"a":"é"}', 'utf16le')
  expect(readJsonFile(file, 'x')).toEqual({ a: 'é' })
  writeFileSync(file, '{"a":"é"}', 'latin1')
  const says = 'a.json is not UTF-8: save it as UTF-8. Name one with'
  expect(() => readJsonFile(file, 'the settings')).toThrow(says)

  const cwd = folderWith({ 'provider.ts': providerSource() })
  writeFileSync(join(cwd, '.env'), '\ufeffPORT=none\n', 'utf16le')
  expect((await commandsIn(cwd)('serve')).err).toContain('PORT')
  writeFileSync(join(cwd, '.env'), 'PORT=3000\nNAME=é\n', 'latin1')
  expect((await commandsIn(cwd)('serve')).err).toContain('.env is not UTF-8: save it as UTF-8.')
})

test('a .env that is a folder is named, by every command that reads it', { timeout: 300_000 }, async () => {
  const run = commandsIn(folderWith({ 'provider.ts': providerSource(), '.env/readme.txt': 'x' }))
  const err = 'purveyor: .env is a folder. It must be a file with a variable on each line, such as PORT=3000.'
  for (const line of ['serve', 'shop list', 'rates explain', 'db copy --from A --to B'])
    expect(await run(line), line).toMatchObject({ code: 2, err })
})
