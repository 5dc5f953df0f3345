import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { type RemoteRatesOptions, remoteRates } from '../../../src/rates/index.ts'
import { atEnd } from '../../at-end.ts'
import { folderWith } from '../../folder.ts'
import { serveOrigin } from '../../serve-origin.ts'
import { asking } from '../adapters/quote.ts'
import { offered } from './carrier.ts'

type Handler = (req: IncomingMessage, res: ServerResponse) => void

let answer: Handler
const seen: (Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { body: unknown })[] = []
let url = ''
beforeAll(async () => {
  url = await serveOrigin(async (req, res) => {
    const sent = await text(req)
    const body = req.headers['content-type'] === 'application/json' ? JSON.parse(sent) : sent || undefined
    seen.push({ method: req.method, url: req.url, headers: req.headers, body })
    answer(req, res)
  }, atEnd)
})

const rates =
  (...amounts: string[]): Handler =>
  (_req, res) =>
    void res.end(JSON.stringify({ rates: amounts.map((amount, at) => ({ service: `s${at}`, amount })) }))
const failing =
  (status: number, headers = {}): Handler =>
  (_req, res) =>
    void res.writeHead(status, headers).end('Jan Jansen is not known')

const carrier = (options: Partial<RemoteRatesOptions> = {}) => {
  seen.length = 0
  return asking(
    remoteRates({
      name: 'carrier',
      url: `${url}/rates`,
      body: ({ shipping_address, quote }) => ({ to: shipping_address.zipcode, grams: quote.weight }),
      answer: (body) =>
        (body as { rates: { service: string; amount: string }[] }).rates.map(({ service, amount }) =>
          offered(amount, service),
        ),
      ...options,
    }),
  )
}

test('the carrier is asked in its own words, with its key, and answers in ours', async () => {
  answer = rates('4.95', '7.5')
  process.env.CARRIER_TEST_KEY = 'secret'
  const { rates: asked } = carrier({
    auth: { bearer: () => process.env.CARRIER_TEST_KEY },
    headers: { 'x-version': '2' },
  })
  expect(await asked()).toEqual(['s0 4.95', 's1 7.50'])
  expect(seen).toMatchObject([
    {
      method: 'POST',
      url: '/rates',
      headers: { authorization: 'Bearer secret', 'x-version': '2', 'content-type': 'application/json' },
      body: { to: '1012LG', grams: 900 },
    },
  ])
})

test.each<[RemoteRatesOptions['auth'], object]>([
  [{ basic: { user: 'key', password: '' } }, { authorization: `Basic ${btoa('key:')}` }],
  [{ header: { name: 'x-api-key', value: 'k' } }, { 'x-api-key': 'k' }],
])('keys go where the carrier wants them: %o', async (auth, headers) => {
  answer = rates()
  await carrier({ auth, body: undefined, url: ({ quote }) => `${url}/rates?grams=${quote.weight}` }).ask()
  expect(seen).toMatchObject([{ method: 'GET', url: '/rates?grams=900', headers }])
})

test('an auth of another shape is refused with the three that there are, and a bad address with what it is', () => {
  const wrong = { auth: { type: 'basic', user: 'key', password: '' }, url: 'carrier.example' } as never
  expect(() => carrier(wrong)).toThrow(
    /url: must be an http or https address, or a function[\s\S]*auth: must be \{ bearer \}, \{ basic: \{ user, password \} \} or \{ header: \{ name, value \} \}/,
  )
})

test('a key that is not set is named, and nobody is called', async () => {
  const unset = carrier({ auth: { bearer: () => undefined } }).ask()
  await expect(unset).rejects.toThrow('carrier: auth.bearer is not set')
  expect(seen).toEqual([])
})

test('what may pass is tried again, and what will not is not', async () => {
  let calls = 0
  answer = (req, res) => (++calls === 1 ? failing(503)(req, res) : rates('1')(req, res))
  expect(await carrier().rates()).toEqual(['s0 1.00'])
  answer = failing(503)
  await expect(carrier({ retries: 2 }).ask()).rejects.toMatchObject({ name: 'RemoteRatesError', status: 503 })
  expect(seen).toHaveLength(3)
  answer = failing(401)
  const refused = carrier().ask()
  await expect(refused).rejects.toThrow('carrier: the carrier answered 401')
  await expect(refused).rejects.not.toThrow('Jan Jansen')
  expect(seen).toHaveLength(1)
  answer = failing(429, { 'retry-after': '30' })
  await expect(carrier().ask()).rejects.toThrow('429')
  expect(seen).toHaveLength(1)
  answer = (_req, res) => void res.end('<html>')
  await expect(carrier().ask()).rejects.toThrow("carrier: the carrier's answer is not JSON")
})

test('one try takes as long as it may, and all of them end with the deadline', async () => {
  answer = () => {}
  await expect(carrier({ timeout: 500, retries: 1 }).ask()).rejects.toThrow(
    'carrier: the carrier did not answer within 500 ms',
  )
  expect(seen).toHaveLength(2)
  const setup = carrier({ retries: 5 })
  const deadline = new AbortController()
  answer = () => deadline.abort()
  Object.assign(setup.ctx, { signal: deadline.signal })
  await expect(setup.ask()).rejects.toThrow()
  expect(seen).toHaveLength(1)
})

test('headers are texts, or come from the request and the settings of the shop', async () => {
  answer = rates('4.95')
  await carrier({ headers: { 'account-number': '1', 'x-none': undefined } }).ask()
  expect(seen[0]!.headers).toMatchObject({ 'account-number': '1' })
  expect(seen[0]!.headers).not.toHaveProperty('x-none')
  const headers: RemoteRatesOptions['headers'] = ({ shipping_address }, { shop }) => ({
    'account-number': `${shop.id} ${shipping_address.zipcode}`,
  })
  await carrier({ headers: headers! }).ask()
  expect(seen[0]!.headers['account-number']).toBe('default 1012LG')
})

test('answers are recorded once and played again without the carrier, and no key is in them', async () => {
  const folder = folderWith()
  answer = rates('4.95')
  await carrier({ auth: { bearer: 'secret' }, fixtures: { folder, mode: 'record' } }).ask()
  const [file] = readdirSync(folder)
  expect(readFileSync(join(folder, file!), 'utf8')).not.toContain('secret')
  const replaying = carrier({ fixtures: { folder, mode: 'replay' } })
  expect(await replaying.rates()).toEqual(['s0 4.95'])
  const missing = /There is no recorded answer .*\.json\. Run once with/
  await expect(replaying.ask({ weight: 1 })).rejects.toThrow(missing)
  expect(seen).toEqual([])
})

test.each([204, 404])('an answer of %i without a body is replayed as it was recorded', async (status) => {
  const folder = folderWith()
  answer = (_req, res) => void res.writeHead(status).end()
  const said: RemoteRatesOptions['answer'] = (body, _request, ctx, response) =>
    ctx.none(JSON.stringify([body, response.status]))
  const asked = async (mode: 'record' | 'replay') =>
    carrier({ answer: said, fixtures: { folder, mode } }).rates()
  const recorded = await asked('record')
  expect(recorded).toEqual([`none: [${status === 204 ? 'null' : '""'},${status}]`])
  expect(await asked('replay')).toEqual(recorded)
})

const form = new URLSearchParams({ zip: '1012 LG', api_key: 'TOPSECRET' })
const xml = '<Ask Key="TOPSECRET"><ns:Password Type="a">TOPSECRET</ns:Password><Zip>1012</Zip></Ask>'
test.each<[string, string | URLSearchParams, string | undefined, string]>([
  ['a form', form, undefined, 'application/x-www-form-urlencoded;charset=UTF-8'],
  ['a text', '5 kg', undefined, 'text/plain;charset=UTF-8'],
  ['XML', xml, 'text/xml; charset=utf-8', 'text/xml; charset=utf-8'],
])('%s is sent as it is and read as text, with retries and fixtures', async (_, body, given, type) => {
  const folder = folderWith()
  let calls = 0
  answer = (req, res) => (++calls === 1 ? failing(503)(req, res) : void res.end('<Amount>4.95</Amount>'))
  const reading = (mode: 'record' | 'replay') =>
    carrier({
      ...{ read: 'text', body: () => body, fixtures: { folder, mode }, auth: { bearer: 'key' } },
      headers: { 'Content-Type': given },
      answer: (said) => [offered(String(said).slice(8, 12), 'a')],
    })
  expect(await reading('record').rates()).toEqual(['a 4.95'])
  const headers = { 'content-type': type, accept: '*/*', authorization: 'Bearer key' }
  expect(seen).toMatchObject([{}, { method: 'POST', headers, body: String(body) }])
  const kept = readFileSync(join(folder, readdirSync(folder)[0]!), 'utf8')
  expect(kept).not.toContain('TOPSECRET')
  expect(kept).not.toContain('Bearer')
  expect(await reading('replay').rates()).toEqual(['a 4.95'])
  expect(seen).toEqual([])
})

test('wrong options are a TypeError that names them', () => {
  const wrong = { name: 'a b', url: 'ftp://x', answer: 1 } as never
  expect(() => remoteRates(wrong)).toThrow(
    /name: must be letters.*\n.*url: [\s\S]*answer: must be a function/,
  )
})
