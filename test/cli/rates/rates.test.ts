import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fileWith } from '../../folder.ts'
import { cleanEnv, repository, run as runAlone } from '../../journey/project.ts'
import { freePort } from '../../ports.ts'
import { commandsIn, folderWith, main, printing, purveyor, saying } from '../command.ts'

const example = join(repository, 'examples/rates-table')
const tariff = join(example, 'tariff.csv')
const provider = join(example, 'provider.ts')
const request = join(example, 'request.json')
const requestText = readFileSync(request, 'utf8')

const run = (line: string, cwd?: string) => commandsIn(cwd)(`rates ${line}`)
const json = (line: string, cwd?: string) => commandsIn(cwd).json(`rates ${line}`)

/** A folder with a request and a provider of these rate adapters, whose first line is the fourth of its file. */
const folderOf = (adapters: string, more: Record<string, unknown> = {}, imports = '') => {
  const source = `import { createProvider, none, price, z } from 'purveyor'
${imports}
export default createProvider({ rates: [
${adapters}
] })
`
  return folderWith({ 'provider.ts': source, 'request.json': requestText, ...more })
}

const failing = `    { name: 'down', quote: async () => { throw new RangeError('refused') } },`

describe('explain', () => {
  const made = `explain --provider ${provider}`
  const asked = `${made} --file ${request}`
  const inFolder = 'explain --file request.json'

  test('explains per adapter what was weighed and which methods are in', async () => {
    const { code, out } = await run(asked)
    expect(code).toBe(0)
    expect(out).toMatch(/^checkout: 2 methods in \d+ ms\n\ntable: methods \(\d+ ms\)\n/)
    expect(out.split('\n').slice(3)).toEqual([
      '  weighs  3.5 kg, by volume 4.8 kg: 1 parcel of 4.8 kg',
      '  in      door  Aan de deur  10.39  Binnen twee werkdagen bezorgd',
      '  in      point  Bij een afhaalpunt  5.69  Binnen zeven dagen afhalen',
    ])
  })

  test('asks without a file what doctor asks, says so, and names what is asked', async () => {
    const said =
      /^Asked with a made-up cart: 1200 g for 36\.30 EUR, to nl 1016GV\. With --file .*\.\ncheckout: 2 methods /
    expect(await run(made)).toMatchObject(printing(0, said))
    expect((await json(made)).methods).toHaveLength(2)
  })

  test('prints JSON', async () => {
    const [parcel] = (await json(asked)).adapters[0].parcels
    expect(parcel).toMatchObject({ unit: 'kg', chargeable: '4.8', count: 1 })
  })

  test('says which fields of the body cannot be read', async () => {
    const body = JSON.parse(requestText)
    body.shipping_address.country = { code: 'secret' }
    Object.assign(body.customer, { gender: 1, sameaddress: 'ja' })
    const { out } = await run(`${made} --file ${fileWith('request.json', JSON.stringify(body))}`)
    for (const path of ['shipping_address.country', 'customer.gender', 'customer.sameaddress'])
      expect(out).toContain(`\n  lost    ${path}  cannot be read, so it counts as missing\n`)
    expect(out).not.toContain('secret')
  })

  test('ends with 1 when an adapter failed, and says why', async () => {
    const cwd = folderOf(`${failing}
    { name: 'odd', quote: (_request, { explain }) => (explain('zone 3'), [{ title: 'x' }]) },`)
    const { code, out } = await run(inFolder, cwd)
    expect(code).toBe(1)
    for (const words of [
      'down: failed, RangeError: refused at provider.ts:4 (',
      '  remedy  Correct provider.ts:4. Without a method',
      'odd: none, every method was left out',
      '  out     method 1  price_incl is missing',
      '  note    zone 3',
    ])
      expect(out).toContain(words)
  })

  test('explains a carrier that is away, although nothing else keeps the process alive', async () => {
    const cwd = folderWith({
      'provider.ts': `import { createProvider } from 'purveyor'
import { flatRate, onFailure, remoteRates } from 'purveyor/rates'
const url = 'http://127.0.0.1:${await freePort()}/rates'
const carrier = remoteRates({ name: 'carrier', url, answer: () => [] })
const door = flatRate({ id: 'door', title: 'Door', excl: '8.95', taxRate: 0 })
export default createProvider({ rates: { adapters: onFailure(carrier, door), deadline: 60_000 } })
`,
      'request.json': requestText,
    })
    // In a process of its own: one that is kept for the next command never ends by itself.
    const alone = (line: string) =>
      runAlone(process.execPath, [main, 'rates', ...line.split(' ')], { cwd, env: cleanEnv() })
    const { stdout } = await alone(inFolder)
    expect(stdout).toContain('carrier: methods of its fallback door')
    expect(stdout).toContain('ECONNREFUSED')
    expect(await alone('preview --to nl --weights 1').catch((error) => error)).toMatchObject({
      ...{ code: 1, stdout: expect.stringMatching(/^nl +8\.95$/m) },
      stderr: expect.stringMatching(/^purveyor: carrier: methods of its fallback door$/m),
    })
  })

  test('asks for a shop where an adapter needs the settings of one, and names the code of a failed call', async () => {
    const cwd = folderOf(
      `{
        name: 'parcels',
        settings: z.object({ excl: z.string() }),
        quote: ({ shop }, { settings }) =>
          [{ id: 'door', title: 'Door', ...price({ excl: settings.excl, taxRate: '0.21', currency: shop.currency }) }],
      },
      { name: 'away', quote: (_request, { fetch }) => fetch('http://127.0.0.1:${await freePort()}/') },`,
      { 'settings.json': { adapters: { parcels: { excl: '4.00' } } } },
    )
    await purveyor(['shop', 'add', 'bikes', '--settings', 'settings.json'], { cwd })
    const shown = 'preview --to nl --weights 1'
    expect((await run(shown, cwd)).out).toMatch(/^nl +4\.00$/m)
    const alone = await run(inFolder, cwd)
    expect(alone.out).toMatch(/^checkout of shop bikes: 1 method in /)
    expect(alone.out).toContain('  in      door  Door  4.84')
    await purveyor(['shop', 'add', 'cars'], { cwd })
    const { out } = await run(inFolder, cwd)
    expect(out).toContain('parcels: failed, it needs the settings of a shop, and no shop is named (excl ')
    expect(out).toContain('Name one with --shop')
    expect(out).not.toContain('shop default')
    expect(out).toMatch(/^away: failed, TypeError, ECONNREFUSED: fetch failed: connect ECONNREFUSED .* \(/m)
    expect(out).toMatch(/^ {2}call {4}GET 127\.0\.0\.1:\d+\/ {2}TypeError, ECONNREFUSED {2}\d+ ms$/m)
    expect((await run(`${inFolder} --shop bikes`, cwd)).out).toContain('  in      door  Door  4.84')

    expect((await run(shown, cwd)).err).toContain('parcels: failed, it needs the settings of a shop')
    expect((await run(`${shown} --shop bikes`, cwd)).out).toMatch(/^nl +4\.00$/m)
    expect(await run(`preview ${tariff} --shop bikes`)).toMatchObject(saying(2, 'A tariff has no shops'))
  })

  test('says until when a method, or its absence, is true', async () => {
    const end = Date.parse('2999-11-24T17:00:00Z')
    const door = `{ id: 'door', title: 'Door', price_incl: 5, price_excl: 5, tax_rate: 0, goodUntil: ${end} }`
    const cwd = folderOf(`{ name: 'now', quote: () => [${door}] },
      { name: 'later', quote: () => ({ ...none('closed'), goodUntil: ${end} }) },`)
    const { out } = await run(inFolder, cwd)
    expect(out).toContain('  in      door  Door  5  until 2999-11-24 17:00:00')
    expect(out).toContain('  until   2999-11-24 17:00:00')
  })

  test.each([
    ['explain --file nothing.json', 'nothing.json is not there'],
    ['explain --file text.json', 'text.json is not JSON'],
    ['explain', 'There is no provider'],
    [`${made} --file empty.json`, 'empty.json is not a valid body of POST shipment_methods'],
  ])('wrong usage is 2 and names what is wrong: %s', async (line, message) => {
    const cwd = folderWith({ 'text.json': 'no', 'empty.json': '{}' })
    expect(await run(line, cwd)).toMatchObject(saying(2, message))
  })
})

describe('lint', () => {
  test("the example's tariff has no findings", async () => {
    expect(await run(`lint ${tariff}`)).toMatchObject({ code: 0, out: '18 lines, no findings.' })
  })

  test('findings come with their lines, and lines and surcharges are counted', async () => {
    const cwd = folderWith({
      'tariff.csv': `id,title,country,kind,weight_from,weight_to,price_excl,surcharge_percent
door,Door,nl,,0,2,5,
door,Door,nl,,3,5,6,
fuel,,*,surcharge,,,,12.5
`,
    })
    const { code, out } = await run('lint tariff.csv', cwd)
    expect(code).toBe(1)
    expect(out.split('\n')).toEqual([
      'tariff.csv:3 door, zone nl: nothing covers weights from 2 to 3, between line 2 and this one',
      '2 lines and 1 surcharge, 1 finding.',
    ])
    const { findings, rows, surcharges } = await json('lint tariff.csv', cwd)
    expect([findings[0].kind, rows, surcharges]).toEqual(['gap', 2, 1])
  })

  test('a tariff that cannot be used ends with 1, and each fault has its place', async () => {
    const cwd = folderWith({ 'tariff.csv': 'id,title,country,price_excl\ndoor,Door,xx,"4,95"\n' })
    const { code, err } = await run('lint tariff.csv', cwd)
    expect(code).toBe(1)
    expect(err).toContain('tariff.csv:2 country: xx is not a country: write two letters such as nl')
    expect(err).toContain('tariff.csv:2 price_excl: 4,95 has a comma: write 4.95')
  })
})

describe('preview', () => {
  test('shows a grid of zones and bands for each method of a tariff', async () => {
    const { code, out } = await run(`preview ${tariff}`)
    expect(code).toBe(0)
    const [door, point] = out.split('\n\n')
    expect(door!.split('\n').slice(0, 4)).toEqual([
      'door  At your door  (eur without tax; weight kg)',
      'to            2      5      10     20     23',
      'nl            5.74   5.74   5.74   11.94  11.94',
      'nl 1791-1797  8.22   8.22   8.22   14.42  14.42',
    ])
    expect(point).toContain('be            6.61  6.61  6.61  -   -')
  })

  test('asks in the only currency of a tariff', async () => {
    const lines = 'id,title,country,currency,weight_to,price_excl\ndoor,Door,gb,gbp,5,4.00'
    const { out } = await run(`preview ${fileWith('tariff.csv', lines)}`)
    expect(out).toContain('(gbp without tax; weight kg)')
    expect(out).toMatch(/gb +4\.00/)
  })

  test('has a line for each country of a zone, and cuts nothing', async () => {
    const codes = 'nl be lu de fr gb ie es pt it at ch dk se fi pl cz'.split(' ')
    const header = 'id,title,country,weight_to,price_excl'
    const lines = codes.map((_, at) => `door,Door,${codes.join('|')},${at + 1},${at + 1}.00`)
    const text = [header, ...lines, 'door,Door,lu,1,9.00'].join('\n')
    const { out } = await run(`preview ${fileWith('tariff.csv', text)}`)
    const rows = out.split('\n').slice(2, 2 + codes.length)
    expect(rows.map((row) => row.split(/ +/)[0])).toEqual(codes)
    for (const row of rows) expect(row.trim().split(/ +/)).toHaveLength(1 + codes.length)
  })

  test('shows each zone at a place where no narrower one wins', async () => {
    const zones = 'nl,1012-1020,,5 nl,1012,,8 nl,!1012|!2*,,3 nl,3000-3999|!3000,,4 us,,CA,6 us,,,7'
    const lines = zones.split(' ').map((one) => `${one},door,Door`)
    const text = ['country,zipcode,region,price_excl,id,title', ...lines].join('\n')
    const { out } = await run(`preview ${fileWith('tariff.csv', text)} --weights 1`)
    expect(out.split('\n').slice(2, 8)).toEqual([
      'nl 1012-1020        5.00',
      'nl 1012             8.00',
      'nl !1012|!2*        3.00',
      'nl 3000-3999|!3000  4.00',
      'us region CA        6.00',
      'us                  7.00',
    ])
  })

  test('shows a provider where destinations are named', async () => {
    const [door] = await json(`preview --provider ${provider} --to nl,nl:8881,de --weights 500,30000`)
    expect(door.id).toBe('door')
    expect(door.prices).toMatchObject([
      { to: 'nl', prices: [6, 24.95] },
      { to: 'nl:8881', prices: [8.59, 30.14] },
      { to: 'de', prices: [11.66, 59.59] },
    ])
  })

  test('shows the prices and the promises of a given time', async () => {
    const cwd = folderWith({
      'tariff.csv': `id,title,country,price_excl,valid_until,valid_from
door,Door,nl,5.00,2030-12-31,
door,Door,nl,6.00,,2031-01-01
`,
      'provider.ts': `import { createProvider } from 'purveyor'
import { deliveryPromise, promised, tableRates } from 'purveyor/rates'
const promise = deliveryPromise({ timeZone: 'Europe/Amsterdam', cutOff: '17:00' })
export default createProvider({ rates: promised({ promise }, tableRates({ file: 'tariff.csv', taxRate: 0 })) })
`,
    })
    const grid = async (of: string, time: string) =>
      (await run(`preview ${of} --weights 1 --at ${time}`, cwd)).out
    // In the tariff's own zone the year is over an hour before it is in UTC.
    expect(await grid('tariff.csv', '2030-12-31T22:59Z')).toMatch(/^nl +5\.00$/m)
    expect(await grid('tariff.csv', '2031-01-01T00:00+01:00')).toMatch(/^nl +6\.00$/m)
    expect(await grid('--to nl', '2030-12-31T16:59+01:00')).toContain('\nOrdered before 17:00: tomorrow\n')
    expect(await grid('--to nl', '2030-12-31T17:01+01:00')).toContain('\nThursday 2 January\n')
  })

  test('says why an adapter has no method at all, and has a tax of the goods', async () => {
    const flat = (id: string) => `flatRate({ id: '${id}', title: '${id}', excl: '5', taxRate: 0 })`
    const cwd = folderOf(
      `when({ countries: ['de'] }, ${flat('away')}),
      when({ countries: ['nl'] }, ${flat('near')}),
      taxed({ rate: 'goods' }, ${flat('goods')}),`,
      {},
      "import { flatRate, taxed, when } from 'purveyor/rates'",
    )
    const { code, out, err } = await run('preview --to nl,be --weights 1', cwd)
    expect([code, err]).toEqual([0, 'purveyor: away: none, not to nl\npurveyor: away: none, not to be'])
    expect(out).toMatch(/^near .*\nto +1\nnl +5\.00\nbe +-$/m)
    expect(out).toMatch(/^goods .*\nto +1\nnl +5\.00\nbe +5\.00$/m)
  })

  test('names each adapter that failed once, in a line and not in lines of the log', async () => {
    const cwd = folderOf(`${failing}
    { name: 'odd', quote: () => [{ id: 'x', title: 'x' }] },
    { name: 'door', quote: () => [{ id: 'door', title: 'Door', ...price({ excl: '5', taxRate: 0, currency: 'eur' }) }] },`)
    const { code, out, err } = await run('preview --to nl --weights 1,5', cwd)
    expect(code).toBe(1)
    expect(out).toContain('nl  5.00  5.00')
    const [down, odd, ...more] = err.split('\n')
    expect(down).toBe('purveyor: down: failed, RangeError: refused at provider.ts:4')
    expect(odd).toMatch(/^purveyor: odd: method 1 is left out, price_incl is missing/)
    expect(more).toEqual([])
  })

  test.each([
    ['--to holland', '--to names countries'],
    ['--weights heavy', 'Write numbers, such as 0.5,2,10.'],
    ['--unit stone', 'Allowed choices are mg, g, kg, oz, lb'],
    ['--value 1,5', 'Write a decimal with a point'],
    ['--currency eux', 'Write a code of ISO 4217'],
    ['--at 2026-12-24', 'Write a time with its zone, such as 2026-12-24T16:30+01:00'],
    ['--at 2026-12-24T16:30', 'Write a time with its zone'],
    ['--at 2026-02-30T16:30Z', 'Write a time with its zone'],
    ['--provider provider.ts', 'Name either a tariff or, with --provider, a provider'],
  ])('wrong usage is 2: %s', async (options, message) => {
    expect(await run(`preview ${tariff} ${options}`)).toMatchObject(saying(2, message))
  })
})
