import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pino } from 'pino'
import supertest from 'supertest'
import { afterAll, expect, test } from 'vitest'
import { logLines } from '../../../src/cli/provider/log-lines.ts'
import type { ProviderOptions } from '../../../src/index.ts'
import { AdapterPlaces } from '../../../src/observability/source-faults/adapter-place.ts'
import { checkout, payment } from '../../http/messages.ts'
import { listening } from '../../listening.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'purveyor-adapter-')))
afterAll(() => rmSync(folder, { recursive: true }))
const load = createRequire(import.meta.url)

/** The file of a developer, loaded as Node loads it. */
function fileWith(code: string): { file: string; options: Partial<ProviderOptions> } {
  const file = join(folder, `provider${Math.random().toString(36).slice(2)}.cjs`)
  writeFileSync(file, code)
  return { file, options: load(file) as Partial<ProviderOptions> }
}

/** A provider in development, and what the terminal shows of its log. */
async function developing(options: Partial<ProviderOptions>) {
  const shown: string[] = []
  const write = (line: string) => void shown.push(...(logLines(line, folder) ?? []))
  const logger = pino({ level: 'warn' }, { write })
  const { endpoint } = await listening({ logger, ...options })
  return { endpoint, shown: () => shown.join('\n') }
}

/** What the shop's page learns of an answer. */
async function explanationOf(endpoint: string, answer: supertest.Response) {
  const id = answer.headers['purveyor-explanation']
  return (await supertest(endpoint).get(`/explanations/${id}`)).body as {
    adapters: { place?: string }[]
    failures: { lines: { file: string; line: number }[] }[]
  }
}

/** The line with the words `here`. */
const lineOf = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((text) => text.includes('here')) + 1

const price = "price_excl: '5', tax_rate: '0.21', price_incl: '6.05'"

/** The code of an adapter whose name is in no text of the file. */
const ofRates = (members: string) =>
  `const name = ['cou', 'rier'].join('')\nmodule.exports = { rates: [{\n  name,\n${members}\n}] }\n`
const ofPayments = (members: string) => ofRates(members).replace('rates:', 'payments:')

test.each([
  ['a text', 'quote() { // here\n return "nothing" }'],
  ['nothing at all', 'quote() { // here\n}'],
  ['a number, later', 'quote: async () => 5, // here'],
  ['no answer from its carrier', 'quote: () => fetch("http://127.0.0.1:1/x"), // here'],
  ['too late', 'quote: () => new Promise(() => {}), // here'],
])('a rate adapter that answers with %s is shown with its line', async (_what, members) => {
  const { file, options } = fileWith(ofRates(members))
  const { endpoint, shown } = await developing({
    rates: { adapters: options.rates as never, deadline: 300 },
  })
  const answer = await supertest(endpoint).post('/shipment_methods').send(checkout)
  const line = lineOf(file)
  expect(shown()).toContain(`${file}:${line}`)
  expect(shown()).toContain('rate adapter "courier" failed: ')
  const { adapters, failures } = await explanationOf(endpoint, answer)
  expect(failures[0]!.lines[0]).toMatchObject({ file, line })
  expect(adapters[0]!.place).toContain(`:${line}`)
})

test.each([
  ['a text', 'quote: () => ["door"], // here'],
  [
    'a price with a comma',
    `quote() { // here\n return [{ id: 1, title: 'Door', ${price.replace('6.05', '6,05')} }] }`,
  ],
  [
    'a text as its end',
    `quote() { // here\n return [{ id: 1, title: 'Door', ${price}, goodUntil: '2026' }] }`,
  ],
  ['a list as its title', `quote() { // here\n return [{ id: 1, title: [], ${price} }] }`],
  ['no id', `quote() { // here\n return [{ title: 'Door', ${price} }] }`],
  ['no id and no title', `quote() { // here\n return [{ ${price} }] }`],
])('a method that is %s is shown with the line of its adapter', async (_what, members) => {
  const { file, options } = fileWith(ofRates(members))
  const { endpoint, shown } = await developing(options)
  const answer = await supertest(endpoint).post('/shipment_methods').send(checkout)
  const place = `${relativeToHere(file)}:${lineOf(file)}`
  expect(shown()).toMatch(/^\[[\d:]+\] adapter "courier": method 1 (is left out|was repaired): /)
  expect(shown()).toContain(` (${place})`)
  // One line for one method.
  expect(shown().match(/method 1/g)).toHaveLength(1)
  if (answer.body.shipment_methods.length === 0)
    expect((await explanationOf(endpoint, answer)).adapters[0]!.place).toBe(place)
})

test.each([
  ['a text', 'methods: () => "card", // here\n'],
  ['nothing', 'async methods() { // here\n},'],
])('a list of payment methods that is %s is shown with its line', async (_what, members) => {
  const { file, options } = fileWith(ofPayments(`${members} start: () => ({ later: true })`))
  const { endpoint, shown } = await developing(options)
  const answer = await supertest(endpoint).post('/payment_methods').send(checkout)
  const line = lineOf(file)
  expect(shown()).toContain('payment adapter "courier" failed to list its methods: ')
  expect(shown()).toContain(`${file}:${line}`)
  expect((await explanationOf(endpoint, answer)).failures[0]!.lines[0]).toMatchObject({ file, line })
})

test('a payment method that is left out is shown with the line of its adapter, on the page too', async () => {
  const members = `methods: () => [{ id: 'card', title: 'Card', price_incl: '1,50' }], // here\n start: () => ({ later: true })`
  const { file, options } = fileWith(ofPayments(members))
  const { endpoint, shown } = await developing(options)
  const answer = await supertest(endpoint).post('/payment_methods').send(checkout)
  expect(shown()).toContain(`adapter "courier": method 1 is left out: price_incl `)
  expect(shown()).toContain(` (${relativeToHere(file)}:2)`.replace(':2', `:${lineOf(file)}`))
  const [failure] = (await explanationOf(endpoint, answer)).failures
  expect(failure).toMatchObject({
    adapter: 'courier',
    message: expect.stringContaining('method 1: price_incl'),
    lines: [{ line: lineOf(file) }],
  })
})

test.each([
  ['a text', 'start: () => "https://pay.example", // here'],
  ['a number as a date', 'start: () => ({ later: true, expiresAt: 5 }), // here'],
  ['no word of its mode', 'mode: () => "prod", // here\nstart: () => ({ later: true }),'],
])('a start of a payment that answers with %s is shown with its line', async (_what, members) => {
  const { file, options } = fileWith(
    ofPayments(`${members}\n methods: () => [{ id: 'card', title: 'Card' }]`),
  )
  const { endpoint, shown } = await developing(options)
  const answer = await supertest(endpoint)
    .post('/payment')
    .send(payment({ method: 'courier:card' }))
  expect(answer.status).toBe(502)
  const line = lineOf(file)
  expect(shown()).toContain('payment start failed: ')
  expect(shown()).toContain(`${file}:${line}`)
  expect((await explanationOf(endpoint, answer)).failures[0]!.lines[0]).toMatchObject({ file, line })
})

test.each([
  ['a text', 'status: () => "paid", // here'],
  ['an amount with a comma', 'status: () => ({ status: "paid", amount: "1,50", currency: "eur" }), // here'],
])('a status that is %s is shown with its line', async (_what, members) => {
  const rest = `methods: () => [{ id: 'card', title: 'Card' }], start: () => ({ redirect: 'https://pay.example' })`
  const { file, options } = fileWith(ofPayments(`${members}\n ${rest}`))
  const { endpoint, shown } = await developing(options)
  await supertest(endpoint)
    .post('/payment')
    .send(payment({ method: 'courier:card' }))
    .expect(201)
  const answer = await supertest(endpoint).get('/payment/1001').expect(200)
  const line = lineOf(file)
  expect(shown()).toContain('did not answer with a status: ')
  expect(shown()).toContain(`${file}:${line}`)
  expect((await explanationOf(endpoint, answer)).failures[0]!.lines[0]).toMatchObject({ file, line })
})

test.each([
  ['no content', 'render: () => 5, // here\nsubmit: () => ({ status: "open" })', 'GET'],
  ['no outcome', 'render: () => "Pay",\nsubmit: () => ({ status: 5 }) // here', 'POST'],
])('a payment page that returns %s is shown with its line', async (_what, page, method) => {
  const rest = `methods: () => [{ id: 'card', title: 'Card' }], start: () => ({ page: true })`
  const { file, options } = fileWith(ofPayments(`${rest},\n page: {\n${page}\n}`))
  const { endpoint, shown } = await developing(options)
  const { body } = await supertest(endpoint)
    .post('/payment')
    .send(payment({ method: 'courier:card' }))
    .expect(201)
  await fetch(body.payment_url, {
    method,
    ...(method === 'POST' && { body: new URLSearchParams({ pay: '1' }) }),
  })
  await expect.poll(shown).toContain(`${file}:${lineOf(file)}`)
})

test('each function is looked for once, and an adapter without own code has the line of its name', () => {
  const places = new AdapterPlaces()
  const code = () => 1
  const here = /adapter-place\.test\.ts:\d+$/
  expect(places.of('any', code)).toMatch(here)
  expect(places.of('any', code)).toBe(places.of('other', code))
  expect(places.of('nowhere in this project', Math.max)).toBeUndefined()
})

const relativeToHere = (file: string) =>
  relative(process.cwd(), file).startsWith('..') ? file : relative(process.cwd(), file)
