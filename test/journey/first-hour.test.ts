import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith, running } from '../cli/command.ts'
import { ways } from '../cli/dev/ways-of-saving.ts'
import { isLong } from '../long.ts'
import { repository } from './project.ts'

// The first hour of somebody new, by script: 30 edits in three ways of saving, 13 of them mistakes. The short form makes every other
// mistake; the long form makes some in each template too.

interface Mistake {
  name: string
  file: string
  /** What is written instead of what. */
  edit: Edit
  /** What the terminal shows of it. */
  shown: RegExp
  /** The place on the shop's page. */
  place: string | undefined
}
type Edit = readonly [before: string, after: string]

/** A mistake in a file, at this place of it where the shop's page shows one. */
function mistake(name: string, at: string, edit: Edit, shown: RegExp): Mistake {
  const [file = '', line] = at.split(':')
  return { name, file, edit, shown, place: line === undefined ? undefined : at }
}

/** The provider does not start with these: the cart says why. */
const ofStart: Mistake[] = [
  mistake(
    'a syntax error',
    'rates.ts:5',
    ['export const tariff =', 'const a = {,}\nexport const tariff ='],
    /Syntax error: [^\n]+\n {2}rates\.ts:(\d+):12\n(?:.*\n)? {2}\1 \| const a = \{,\}\n.*\^\n/,
  ),
  mistake(
    'a wrong import',
    'provider.ts:2',
    ['courier, tariff', 'couriers, tariff'],
    /does not provide an export named 'couriers'\n {2}provider\.ts:2:10\n.*\n.*\n.*\^\n/,
  ),
  mistake(
    'a missing file',
    'provider.ts:2',
    ['./rates.ts', './rate.ts'],
    /There is no file rate\.ts\n {2}provider\.ts:2\n.*\nIt is not there: did you mean rates\.ts\?/,
  ),
  mistake(
    'an error at the start',
    'provider.ts:5',
    ['export default', 'missing.name()\nexport default'],
    /ReferenceError: missing is not defined\n {2}provider\.ts:5:1\n(?: {2}4 .*\n)? {2}5 \| missing\.name\(\)/,
  ),
  mistake(
    'an unknown option',
    'rates.ts:',
    ['weightUnit:', 'weightUnits:'],
    /weightUnits: is not an option: did you mean weightUnit\?\n {2}rates\.ts:\d+:\d+\n/,
  ),
  mistake(
    'an option out of range',
    'provider.ts:',
    ['units: {', 'deadline: 100_000, units: {'],
    /rates\.deadline must be at most 60,000 ms\n {2}provider\.ts:\d+:\d+\n/,
  ),
  mistake(
    'a tax rate in percent',
    'rates.ts:',
    ["taxRate: '0.21',\n", "taxRate: '21',\n"],
    /taxRate: must be a fraction below 1: did you mean 0\.21\?\n {2}rates\.ts:\d+:\d+\n/,
  ),
  mistake(
    'a faulty line of a tariff',
    'tariff.csv:3',
    ['10.79', '10x79'],
    /price_excl: 10x79 is not a number[^\n]*\n {2}tariff\.csv:3\n.*10x79.*\n/,
  ),
]

/** The provider runs with these, and its answer lacks a method: the terminal says so at once. */
const ofAnswers: Mistake[] = [
  mistake(
    'a wrong type from an adapter',
    'rates.ts:',
    ["...price({ excl: '9.95'", "...{ price_incl: [] as never }, ...price({ incl: {} as never ?? '9.95'"],
    /rate adapter "courier" failed: TypeError: [^\n]*of type object\n {2}rates\.ts:\d+:\d+\n/,
  ),
  mistake(
    'a missing id',
    'rates.ts',
    ["id: 'courier',", ''],
    /adapter "courier": method 1 was repaired: it has no id /,
  ),
  mistake(
    'a duplicate id',
    'rates.ts',
    ["id: 'courier',", "id: 'door',"],
    /adapter "courier": method 1 is left out: another method has its id "[^"]+", one of adapter "tariff": give each method its own/,
  ),
  mistake(
    'a price with a comma',
    'rates.ts:',
    ["excl: '9.95'", "excl: '9,95'"],
    /rate adapter "courier" failed: TypeError: [^\n]*with a comma: write a point[^\n]*\n {2}rates\.ts:\d+:\d+\n(?:.*\n)?.*9,95/,
  ),
  mistake(
    'an adapter that throws',
    'rates.ts:19',
    ['const { country, zip', "if (quote) throw new Error('no van')\n    const { country, zip"],
    /rate adapter "courier" failed: no van\n {2}rates\.ts:19:\d+\n.*\n {2}19 \|/,
  ),
]

const saves = ['in place', 'by rename', 'removed and made again'].map((way) => ways[way]!)

/** A project of a template with `dev` beside it. Texts are by file. */
async function hourWith(template: string) {
  const cwd = folderWith()
  cpSync(join(repository, 'templates', template), cwd, { recursive: true })
  const { ready, output } = running('dev --port 0 --json', { cwd })
  const { sandbox } = await ready
  let edits = 0
  const page = async (path: string) => {
    const answer = await fetch(sandbox + path)
    return { status: answer.status, text: await answer.text() }
  }
  /** Returns what the terminal shows from then on. */
  const save = (texts: Record<string, string>) => {
    const from = output.stderr.length
    for (const [name, text] of Object.entries(texts))
      void saves[edits++ % saves.length]!(join(cwd, name), text)
    return () => output.stderr.slice(from)
  }
  const originals: Record<string, string> = {}
  const mistaken = (file: string, [before, after]: Edit) => {
    originals[file] ??= readFileSync(join(cwd, file), 'utf8')
    const text = originals[file]
    expect(text, `${file} of template ${template}`).toContain(before)
    return { [file]: text.replace(before, () => after) }
  }
  const repaired = (file: string) => ({ [file]: originals[file]! })
  return { save, page, mistaken, repaired, edits: () => edits }
}

const isMade = (_one: Mistake, place: number) => isLong || place % 2 === 0
const again = 'the provider runs again at'

test('edits of template rates, half of them mistakes: each mistake has its line or its method, and each repair is seen', async () => {
  const { save, page, mistaken, repaired, edits } = await hourWith('rates')
  const cart = () => page('/?zipcode=1012LG')
  const isOffered = (title: string, after: string) =>
    expect.poll(async () => (await cart()).text, { message: `after ${after}` }).toContain(title)
  await isOffered('By bicycle', 'the start')
  let wrong: string | undefined
  /** Repairs the mistake before. Only the long form waits until that is seen: in the short one the next mistake follows at once. */
  const repairBefore = async (name: string) => {
    if (wrong === undefined) return
    save(repaired(wrong))
    if (isLong) await isOffered('By bicycle', `the one before ${name}`)
  }

  const make = async ({ name, file, edit }: Mistake) => {
    await repairBefore(name)
    wrong = file
    return save(mistaken(file, edit))
  }

  for (const one of ofStart.filter(isMade)) {
    const { name, shown, place } = one
    const terminal = await make(one)
    await expect.poll(terminal, { message: name }).toMatch(shown)
    await expect.poll(async () => (await cart()).text, { message: name }).toContain(place)
    const { status, text } = await cart()
    expect([status, text.includes('The provider is not running')], name).toEqual([503, true])
  }

  for (const one of ofAnswers.filter(isMade)) {
    const { name, shown, place } = one
    const terminal = await make(one)
    await expect.poll(terminal, { message: name }).toContain(again)
    const { status } = await cart()
    await expect.poll(terminal, { message: name }).toMatch(shown)
    expect(status, name).toBe(200)
    if (place === undefined) {
      // Once for each cause.
      await cart()
      expect(terminal().match(new RegExp(shown, 'g')), name).toHaveLength(1)
    } else expect((await page('/log')).text, name).toContain(place)
  }
  await repairBefore('the end')
  await isOffered('By bicycle', 'the last mistake')

  // A tariff that is rarely intended: the provider runs with it.
  const terminal = save(mistaken('tariff.csv', ['nl,,10,23', 'nl,,9,23']))
  const overlap =
    /\[[\d:]{8}\] tariff\.csv:3 door, zone nl: overlaps line 2: where both fit, the narrower band/
  await expect.poll(terminal).toMatch(overlap)

  save(repaired('tariff.csv'))
  save(mistaken('rates.ts', ['By bicycle', 'By cargo bike']))
  save(mistaken('rates.ts', ['By bicycle', 'By electric van']))
  await isOffered('By electric van', 'edits right after each other')
  if (isLong) expect([ofStart.length + ofAnswers.length, edits()]).toEqual([13, 30])
})

test.runIf(isLong).each(['payments', 'full'])(
  'template %s: a mistake is shown with its line, and its repair is seen',
  async (template) => {
    const { save, page, mistaken, repaired } = await hourWith(template)
    const terminal = save(mistaken('payments.ts', ['methods: () =>', 'methods: ( =>']))
    await expect.poll(terminal).toMatch(/Syntax error: [^\n]+\n {2}payments\.ts:\d+:\d+\n/)
    expect((await page('/')).text).toContain('payments.ts:')
    const after = save(repaired('payments.ts'))
    await expect.poll(after).toContain(again)
    expect((await page('/')).status).toBe(200)
  },
)
