import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { sourceFault } from '../../../src/observability/source-faults/source-fault.ts'
import { folderWith, purveyor } from '../../cli/command.ts'

const folder = realpathSync(folderWith({ 'zones.json': '{}', 'half.json': '{"a":', 'src/readme': '' }))

let files = 0

/** The fault of a file of code that runs one expression. */
async function faultOf(expression: string) {
  const file = join(folder, 'src', `code-${++files}.js`)
  writeFileSync(file, `import * as fs from 'node:fs'\n${expression}\n`)
  const error: unknown = await import(pathToFileURL(file).href).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return sourceFault(error, folder)
}

const cwd = process.cwd()
const ofWorkingFolder = `paths begin at ${cwd}, the working directory`

/** `@` stands for the folder. */
test.each<[expression: string, remedy: string | undefined]>([
  ["JSON.parse(fs.readFileSync('@/zone.json'))", '@/zone.json is not there: did you mean zones.json?'],
  ["fs.readFileSync('@/nothing')", '@/nothing is not there: check the path.'],
  ["fs.readFileSync('nothing.json')", `${cwd}/nothing.json is not there: ${ofWorkingFolder}.`],
  ["await fs.promises.readdir('@/sheets')", '@/sheets is not there: check the path.'],
  ["fs.readFileSync('@/zones.json/a')", '@/zones.json/a is not there: check the path.'],
  [
    "JSON.parse(fs.readFileSync('@/half.json'))",
    'This text is empty, ends early or is not JSON: check the file or the answer that it comes from.',
  ],
  ["throw new Error('other')", undefined],
])('%s', async (expression, remedy) => {
  const fault = await faultOf(expression.replaceAll('@', folder))
  expect(fault.lines).toMatchObject([{ file: `src/code-${files}.js`, line: 2 }])
  if (remedy === undefined) expect(fault.remedy).toBeUndefined()
  else expect(fault.remedy).toContain(remedy.replaceAll('@', folder))
})

test('serve shows it below the line', { timeout: 60_000 }, async () => {
  const project = folderWith({
    'provider.ts': "import { readFileSync } from 'node:fs'\nJSON.parse(readFileSync('tarif.json', 'utf8'))\n",
    'tariff.json': '{}',
  })
  mkdirSync(join(project, 'data'))
  const { stderr } = await purveyor(['serve'], { cwd: project })
  expect(stderr).toMatch(
    /provider\.ts:2:12\n.*\n.*\n.*\n.*\/tarif\.json is not there: did you mean tariff\.json\?\n/,
  )
})
