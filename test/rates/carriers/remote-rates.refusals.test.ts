import { expect, test } from 'vitest'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import { PurveyorError } from '../../../src/errors/errors.ts'
import { none } from '../../../src/index.ts'
import {
  combine,
  flatRate,
  markup,
  onFailure,
  RemoteRatesError,
  type RemoteRatesOptions,
  when,
} from '../../../src/rates/index.ts'
import { ratesWith } from '../../helpers/rates.ts'
import { carrierAdapter as carrierOf, offered } from './carrier.ts'

const failed = (reason: string) => ({ result: 'failed', reason })
const refused = (reason: string) => ({ result: 'none', reason })

type Says = (url: string, init: RequestInit) => Response | Promise<Response>

const offer = (amount = '5') => Response.json({ amount })
const refusal = () => Response.json({ error: 'NO_SERVICE', zip: 'Jan Jansen' }, { status: 422 })

const carrierAdapter = (options: Partial<RemoteRatesOptions> = {}) =>
  carrierOf({ body: ({ shipping_address: { country, zipcode } }) => ({ country, zipcode }), ...options })
const status = (code: number, body: string | null = '{}', headers = {}) =>
  new Response(body, { status: code, headers })

const own = flatRate({ id: 'own', title: 'Own', excl: '9', taxRate: 0 })

/** A provider whose adapters call a carrier that is this function. */
function carrierThat(says: Says, adapters: AnyRateAdapter[] = [carrierAdapter()]) {
  const asked: { url: string; body: Record<string, string> }[] = []
  const rates = ratesWith(adapters)
  rates.world.outgoing.fetch = async (input, init = {}) => {
    asked.push({ url: String(input), body: JSON.parse(String(init.body ?? '{}')) })
    return says(String(input), init)
  }
  /** One customer at an address. */
  const customer = async (country: string, zipcode: string, value = '29.34') =>
    (
      await rates.ask((body) => {
        Object.assign(body.shipping_address, { country, zipcode })
        body.quote.price_incl = value as never
      })
    ).adapters[0]!
  return { ...rates, asked, customer }
}

const servesOnlyNl: Says = (_url, { body }) =>
  JSON.parse(String(body)).country === 'nl' ? offer() : refusal()

test('six customers at an address that the carrier does not serve hide nothing from the seventh', async () => {
  const { customer, ask, breakers } = carrierThat(servesOnlyNl)
  for (let one = 0; one < 6; one++)
    expect(await customer('aq', `${one}`)).toMatchObject(refused('the carrier refused with 422'))
  expect(await customer('nl', '1012LG')).toMatchObject({ result: 'methods' })
  expect(breakers.open()).toEqual([])
  const far = await ask((body) => void Object.assign(body.shipping_address, { country: 'aq' }))
  expect(far).toMatchObject({ fallback: false, methods: [] })
})

test.each([400, 402, 404, 409, 410, 413, 415, 418, 422, 451])('%i is an answer', async (code) => {
  const { customer } = carrierThat(() => status(code, '<p>no</p>'))
  for (let one = 0; one < 7; one++)
    expect((await customer('aq', `${one}`)).reason).toBe(`the carrier refused with ${code}`)
})

test.each([401, 403, 408, 425, 429, 500, 501, 502, 503, 504, 599])('%i is a failure', async (code) => {
  const { customer, asked } = carrierThat(() => status(code))
  for (let one = 0; one < 5; one++) expect((await customer('nl', `${one}`)).result).toBe('failed')
  expect((await customer('nl', '6')).result).toBe('skipped')
  expect(asked).toHaveLength(5)
})

test('refused() answers for a refusal with its status and body; answer() does where there is none', async () => {
  const refused: RemoteRatesOptions['refused'] = (status, body) =>
    none(`${status}: ${(body as { error: string }).error}`)
  const withRefused = carrierThat(refusal, [carrierAdapter({ refused })])
  expect(await withRefused.customer('aq', '1')).toMatchObject({
    result: 'none',
    reason: '422: NO_SERVICE',
    notes: ['the carrier answered 422'],
  })
  const answer: RemoteRatesOptions['answer'] = (body, _request, ctx, { status }) =>
    status === 422 ? ctx.none((body as { error: string }).error) : []
  const withAnswer = carrierThat(refusal, [carrierAdapter({ answer })])
  expect((await withAnswer.customer('aq', '1')).reason).toBe('NO_SERVICE')
})

test('an answer() that cannot read a refusal leaves a note; a refused() that throws has failed', async () => {
  const unread = carrierThat(() => status(404, 'not here'))
  const { notes } = await unread.customer('aq', '1')
  // It is the answer() of the tests.
  expect(notes[1]).toMatch(/^answer\(\) cannot read it, at carrier\.ts:\d+: add refused\(\) to say why$/)
  const refused = () => {
    throw new Error('the request is wrong')
  }
  const strict = carrierThat(refusal, [carrierAdapter({ refused })])
  for (let one = 0; one < 6; one++) expect((await strict.customer('aq', `${one}`)).result).toBe('failed')
  expect(strict.breakers.open()).toEqual([])
})

test('a page where an API was expected is named in each explanation, and logged once', async () => {
  const page = 'a web page answered 404 instead of the API: check url'
  const moved = carrierThat(() => status(404, '<!doctype html><h1>Not found</h1>'))
  for (const zipcode of ['1', '2', '3']) {
    const { result, notes } = await moved.customer('nl', zipcode)
    expect([result, notes.includes(page)]).toEqual(['none', true])
  }
  expect(moved.lines.filter(({ message }) => message.startsWith('a web page answered'))).toHaveLength(1)
  const gone = carrierThat(() => Response.json({ error: 'no points' }, { status: 404 }))
  expect((await gone.customer('nl', '1')).notes).not.toContain(page)
})

test('an adapter of your own that throws for a refusal fails alone: the breaker counts causes, not customers', async () => {
  const byHand: AnyRateAdapter = {
    name: 'carrier',
    async quote({ shipping_address }, { fetch }) {
      const body = JSON.stringify({ country: shipping_address.country })
      const answer = await fetch('https://carrier.example', { method: 'POST', body })
      if (!answer.ok) throw new Error('refused')
      return [offered('5')]
    },
  }
  const { customer } = carrierThat(servesOnlyNl, [byHand])
  for (let one = 0; one < 9; one++) expect((await customer('aq', `${one}`)).result).toBe('failed')
  expect((await customer('nl', '1')).result).toBe('methods')
  const mistaken: AnyRateAdapter = {
    name: 'carrier',
    quote: ({ shipping_address }) => [{ title: shipping_address.region!.trim() } as never],
  }
  const mistakes = carrierThat(() => offer(), [mistaken])
  for (let one = 0; one < 6; one++) expect((await mistakes.customer('nl', `${one}`)).result).toBe('failed')
})

test('a fallback answers when its adapter failed or is skipped, and never when it refused', async () => {
  let down = false
  const says: Says = (...call) => (down ? status(503) : servesOnlyNl(...call))
  const { customer, asked } = carrierThat(says, [onFailure(carrierAdapter(), own)])
  const ids = async (country: string, zip: string) =>
    (await customer(country, zip)).methods.map(({ id }) => id)
  expect(await ids('nl', '1')).toEqual(['door'])
  expect(await ids('aq', '1')).toEqual([])
  down = true
  for (let one = 0; one < 5; one++)
    expect(await customer('nl', `${one}`)).toMatchObject({
      adapter: 'carrier',
      result: 'methods',
      fallback: 'own',
      notes: ['adapter failed: carrier: the carrier answered 503'],
    })
  const paused = 'adapter skipped: paused for 10 s after 5 failures in a row'
  expect((await customer('nl', '6')).notes).toEqual([paused])
  expect(asked).toHaveLength(7)
})

test('a fallback answers within the deadline when its adapter hangs, in a combination too', async () => {
  const hanging: Says = (_url, { signal }) =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  const carrier = onFailure(carrierAdapter({ timeout: 60_000 }), own)
  for (const adapter of [carrier, markup({ percent: 0 }, carrier), combine('both', [carrier, own])]) {
    const { ask, move } = carrierThat(hanging, [adapter])
    const asking = ask()
    await move(2_499)
    expect((await asking).methods.map(({ id }) => id)).toEqual(['own'])
  }
})

test('a combination keeps the cache and the breaker of each adapter that it holds', async () => {
  const cached = carrierAdapter({ cache: { ttl: 60_000 } })
  const key = ({ shipping_address }: { shipping_address: { country?: string | undefined } }) =>
    `${shipping_address.country}`
  const keyed = carrierAdapter({ name: 'keyed', cache: { ttl: 60_000, key } })
  const both = combine('both', [when({ countries: ['nl'] }, cached), keyed, own])
  const { customer, asked, counts } = carrierThat(servesOnlyNl, [markup({ percent: 10 }, both)])
  await customer('nl', '1')
  const again = await customer('nl', '1')
  expect(again.methods.map(({ price_excl }) => price_excl)).toEqual([5.5, 9.9])
  expect(again.notes).toEqual(['carrier: cache hit', 'keyed: cache hit'])
  expect(asked).toHaveLength(2)
  await customer('nl', '2')
  expect(asked).toHaveLength(3)
  expect(counts()).toMatchObject({
    'both/carrier': { hits: 1, misses: 2 },
    'both/keyed': { hits: 2, misses: 1 },
  })
})

test('one tariff under two conditions is two adapters in a combination: neither gets the cached price of the other', async () => {
  const cached = carrierAdapter({ cache: { ttl: 60_000 } })
  const cheap = markup({ percent: 0 }, cached)
  const dear = markup({ percent: 100 }, cached)
  const { customer } = carrierThat(() => offer(), [combine('both', [cheap, dear])])
  for (let time = 0; time < 2; time++) {
    const { leftOut, methods } = await customer('nl', '1')
    expect(methods.map(({ price_excl }) => price_excl)).toEqual([5])
    expect(leftOut).toMatchObject([{ reason: expect.stringMatching(/^another method has its id /) }])
  }
})

test('answers are counted for each adapter: no method, a fallback, a skip', async () => {
  let down = false
  const rates = [onFailure(carrierAdapter(), own), carrierAdapter({ name: 'plain' })]
  const says: Says = (...call) => (down ? status(500) : servesOnlyNl(...call))
  const { customer, answers } = carrierThat(says, rates)
  await customer('nl', '1')
  await customer('aq', '1')
  down = true
  for (let one = 0; one < 6; one++) await customer('nl', `${one}`)
  expect(answers()).toMatchObject({
    carrier: { methods: 1, none: 1, failed: 0, skipped: 0, fallback: 6 },
    'carrier/own': { methods: 6 },
    plain: { methods: 1, none: 1, failed: 5, skipped: 1, fallback: 0 },
  })
})

test('the explanation has the own words, the place and the calls; production has no words and no path', async () => {
  const answer = () => {
    throw new TypeError('Jan Jansen is no rate')
  }
  const { ask, workings } = carrierThat(() => offer(), [carrierAdapter({ answer })])
  const call = { method: 'POST', to: 'carrier.example/rates', status: 200, ms: 0 }
  const [shown] = (await ask()).adapters
  expect(shown).toMatchObject({ reason: 'TypeError', words: 'Jan Jansen is no rate', calls: [call] })
  expect(shown!.place).toMatch(/^remote-rates\.refusals\.test\.ts:\d+$/)
  workings.rates.development = false
  const [kept] = (await ask()).adapters
  const calls = [{ ...call, to: 'carrier.example' }]
  expect(kept).toMatchObject({ reason: 'TypeError', place: shown!.place, calls })
  expect(JSON.stringify(kept)).not.toContain('Jan Jansen')
})

test.each([204, 205])('%i is an answer without rates, and never an outage', async (code) => {
  const empty = () => status(code, null)
  const { customer, breakers } = carrierThat(empty, [onFailure(carrierAdapter(), own)])
  const without = refused(`the carrier answered ${code} without rates`)
  for (let one = 0; one < 6; one++) expect(await customer('nl', `${one}`)).toMatchObject(without)
  expect(breakers.open()).toEqual([])
  const said = carrierAdapter({ answer: (given) => none(given === undefined ? 'nothing there' : 'other') })
  const { customer: second } = carrierThat(empty, [said])
  expect((await second('nl', '1')).reason).toBe('nothing there')
})

const shops = 'one two three four five six seven'.split(' ')

test.each([
  ['a key that no header can have', { auth: { bearer: () => 'k€y' } }, 'header authorization has characters'],
  ['an address without https', { url: () => 'api.carrier.example/rates' }, 'url is not an address'],
])('%s is the fault of the settings, and opens no breaker of anybody', async (_, options, reason) => {
  const { ask, breakers } = carrierThat(() => offer(), [carrierAdapter(options)])
  for (const shop of shops.slice(1))
    for (let times = 0; times < 2; times++) {
      const [one] = (await ask(undefined, shop)).adapters
      expect(one).toMatchObject({ result: 'failed', reason: expect.stringContaining(reason) })
      expect(JSON.stringify(one)).not.toContain('k€y')
    }
  expect(breakers.open()).toEqual([])
})

test('an address of a shop that has no host, or may not be called, never takes the carrier from other shops', async () => {
  for (const code of ['NAME_NOT_FOUND', 'OUTGOING_REFUSED'] as const) {
    const refuse = () => {
      throw new PurveyorError(code)
    }
    const { ask, breakers } = carrierThat(refuse, [carrierAdapter({ url: () => 'https://nobody.example' })])
    for (const shop of shops) await ask(undefined, shop)
    expect(breakers.open()).toEqual([])
  }
})

test('an answer that is too large says so, and is fetched once', async () => {
  const { asked, customer } = carrierThat(() => {
    throw new PurveyorError('ANSWER_TOO_LARGE')
  }, [carrierAdapter({ retries: 2 })])
  expect((await customer('nl', '1')).reason).toContain(new PurveyorError('ANSWER_TOO_LARGE').message)
  expect(asked).toHaveLength(1)
})

test('answer() reads an empty answer by its status, and says what is a failure by an error', async () => {
  const reading = (answer: RemoteRatesOptions['answer']) =>
    carrierThat(() => status(204, null), [carrierAdapter({ answer })]).customer('nl', '1')
  const said = await reading((body, _request, { none: no }, got) => no(`${got.status}: ${body}`))
  expect(said).toMatchObject({ result: 'none', reason: '204: undefined' })
  const failing = () => {
    throw new RemoteRatesError('carrier: 204 is no answer', 204)
  }
  expect(await reading(failing)).toMatchObject({ result: 'failed', reason: 'carrier: 204 is no answer' })
  const lenient = await reading((body) => (body as { offers: [] } | undefined)?.offers as never)
  expect(lenient).toMatchObject({ result: 'none' })
})

test('a carrier that answers after the deadline fills the cache; without one its call ends there', async () => {
  const answers: (() => void)[] = []
  const says: Says = (_url, { signal }) =>
    new Promise((resolve, reject) => {
      answers.push(() => resolve(offer()))
      signal!.addEventListener('abort', () => reject(signal!.reason))
    })
  const asking = async (options: Partial<RemoteRatesOptions>) => {
    const carrier = carrierThat(says, [carrierAdapter({ timeout: 8_000, ...options })])
    const asked = carrier.customer('nl', '1')
    await carrier.settle()
    await carrier.move(3_000)
    expect((await asked).result).toBe('failed')
    answers.pop()!()
    await carrier.settle()
    const next = carrier.customer('nl', '1')
    await carrier.settle()
    await carrier.move(3_000)
    return (await next).result
  }
  expect(await asking({ cache: { ttl: 60_000 } })).toBe('methods')
  expect(await asking({})).toBe('failed')
})

test.each(['', ' \n', 'null'])('200 with the body %j is a failure where answer() throws', async (body) => {
  const { ask } = carrierThat(() => new Response(body), [onFailure(carrierAdapter(), own)])
  const { methods, adapters } = await ask()
  expect(methods.map(({ id }) => id)).toEqual(['own'])
  expect(adapters[0]!.replaced).toMatchObject([
    { reason: 'carrier: the carrier answered 200 without a body' },
  ])
  const knowing = carrierAdapter({ answer: (said, _request, ctx) => ctx.none(`no offers: ${said}`) })
  const known = await carrierThat(() => new Response(body), [knowing]).ask()
  expect(known.adapters[0]).toMatchObject(refused('no offers: undefined'))
})

test.each(['<html>maintenance</html>', '{"amount":'])('200 with %s stays a failure', async (body) => {
  const { customer } = carrierThat(() => new Response(body))
  expect(await customer('nl', '1')).toMatchObject(failed("carrier: the carrier's answer is not JSON"))
})

test.each([429, 503])('six quotes during the wait that a %i asks for cost nothing after it', async (code) => {
  let says = () => status(code, '{}', { 'retry-after': '1' })
  const { customer, asked, move, breakers, world } = carrierThat(() => says())
  const nextTry = world.now() + 1_000
  expect((await customer('nl', '0')).result).toBe('failed')
  for (let one = 0; one < 6; one++) {
    const { result, reason } = await customer('nl', `${one}`)
    expect(result).toBe('skipped')
    expect(reason).toMatch(/^the carrier asked to wait until \d\d:\d\d:\d\d UTC$/)
  }
  expect(asked).toHaveLength(1)
  const lastFailure = `carrier: the carrier answered ${code}, and asked to wait`
  expect(breakers.open()).toMatchObject([{ adapter: 'carrier', shop: 'default', nextTry, lastFailure }])
  says = () => offer()
  await move(1_000)
  expect(breakers.open()).toEqual([])
  const after = await Promise.all(['1', '2', '3'].map((zipcode) => customer('nl', zipcode)))
  expect(after.map(({ result }) => result)).toEqual(['methods', 'methods', 'methods'])
})

test('a carrier that asks to wait each time is asked after each wait, and a person may end one', async () => {
  const { customer, asked, move, breakers } = carrierThat(() => status(429, '{}', { 'retry-after': '2' }))
  for (let one = 0; one < 8; one++) {
    await customer('nl', `${one}`)
    await move(2_000)
  }
  expect(asked).toHaveLength(8)
  await customer('nl', '8')
  expect(breakers.release('carrier')).toBe(1)
  await customer('nl', '9')
  expect(asked).toHaveLength(10)
})

test.each([{}, { 'retry-after': '60' }])(
  '429 of one account with %o says nothing of others',
  async (headers) => {
    let says = () => status(429, '{}', headers)
    const rates = carrierThat(() => says())
    const resultOf = async (shop: string) => (await rates.ask(undefined, shop)).adapters[0]!.result
    for (let time = 0; time < 4; time++)
      for (const shop of ['a', 'b', 'c']) expect(await resultOf(shop)).not.toBe('methods')
    says = () => offer()
    expect(await resultOf('d')).toBe('methods')
  },
)

test('a carrier that asks to wait for a day is asked again after five minutes', async () => {
  const { customer, asked, move } = carrierThat(() => status(503, '{}', { 'retry-after': '86400' }))
  await customer('nl', '1')
  await move(299_000)
  await customer('nl', '2')
  expect(asked).toHaveLength(1)
  await move(2_000)
  await customer('nl', '3')
  expect(asked).toHaveLength(2)
})
