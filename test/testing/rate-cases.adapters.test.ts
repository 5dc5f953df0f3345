import { createHmac, timingSafeEqual } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AnyPaymentAdapter, AnyRateAdapter } from '../../src/any-adapter.ts'
import { html, none, type PaymentAdapter, price } from '../../src/index.ts'
import * as adapters from '../../src/rates/index.ts'
import {
  type AdapterCase,
  forgedPushes,
  paymentCases,
  rateCases,
  testPaymentAdapter,
  testRateAdapter,
} from '../../src/testing/index.ts'
import { testPayments } from '../../templates/full/payments.ts'
import { rates } from '../../templates/full/rates.ts'
import { repository } from '../journey/project.ts'

const { combine, flatRate, markup, pickupPoints, remoteRates, tableRates, taxed, when } = adapters
const flat = flatRate({ id: 'door', title: 'Door', excl: '5.00', taxRate: '0.21' })
const tariff = `${repository}examples/rates-table/tariff.csv`

const priced = (excl: string) => ({
  ...{ id: 'door', title: 'Door' },
  ...price({ excl, taxRate: '0.21', currency: 'eur' }),
})
const method = priced('5.00')

describe('the adapters of this package hold', () => {
  describe('flatRate', () => testRateAdapter({ test, adapter: flat }))
  describe('tableRates', () =>
    testRateAdapter({ test, adapter: tableRates({ file: tariff, currency: 'eur', taxRate: '0.21' }) }))
  describe('markup and taxed', () =>
    testRateAdapter({ test, adapter: taxed({ rate: { '*': '0.21' } }, markup({ percent: 5 }, flat)) }))
  describe('when and combine', () => {
    const night = flatRate({ id: 'night', title: 'Night', excl: '9.00', taxRate: '0.21' })
    testRateAdapter({ test, adapter: combine('both', [flat, when({ countries: ['nl'] }, night)], 'all') })
  })
  describe('pickupPoints', () => {
    const place = { street: 'Damrak', number: '1', zipcode: '1012LG', city: 'Amsterdam', country: 'nl' }
    const at = { ...place, latitude: 52.37, longitude: 4.89 }
    const points = () => [1, 2, 3].map((id) => ({ id: `p${id}`, name: `Point ${id}`, ...at }))
    const adapter = pickupPoints({ name: 'points', points, excl: '4.00', taxRate: '0.21' })
    testRateAdapter({ test, adapter })
  })
  describe('remoteRates', () => {
    const adapter = remoteRates({
      ...{ name: 'remote', url: 'https://carrier.example/rates', retries: 0, estimate: true },
      cache: { ttl: 60_000 },
      body: ({ shipping_address: { country } }) => ({ country }),
      answer: (body) =>
        (body as { excl: string[] }).excl.map((excl, at) => ({ ...priced(excl), id: `r${at}` })),
    })
    const fetch: typeof globalThis.fetch = async (_url, init) =>
      Response.json({ excl: String(init?.body).includes('"nl"') ? ['5.00', '7.00'] : [] })
    testRateAdapter({ test, adapter, fetch })
  })
  describe('template full, rates', () => testRateAdapter({ test, adapter: rates }))
  describe('template full, payments', () => testPaymentAdapter({ test, adapter: testPayments }))
})

const secret = 'of the payment service'
const signature = (body: Buffer) => createHmac('sha256', secret).update(body).digest('hex')

/** A payment service in memory, with everything that an adapter may have. */
function serviceAdapter(changes: Partial<PaymentAdapter> = {}): PaymentAdapter {
  const sessions = new Map<string, { redirect: string; reference: string }>()
  return {
    name: 'psp',
    methods: () => [{ id: 'card', title: 'Card' }],
    idempotency: { ttl: 3_600_000 },
    start({ idempotencyKey }) {
      const reference = `tr_${sessions.size}`
      const session = sessions.get(idempotencyKey) ?? {
        redirect: `https://psp.example/${reference}`,
        reference,
      }
      sessions.set(idempotencyKey, session)
      return session
    },
    find: (key) => sessions.get(key),
    status: () => ({ status: 'pending' }),
    cancel: () => ({ status: 'cancelled' }),
    push: {
      verify({ body, headers }) {
        const given = Buffer.from(headers['psp-signature'] ?? '')
        const expected = Buffer.from(signature(body))
        return given.length === expected.length && timingSafeEqual(given, expected)
      },
      read: ({ body }) => ({ reference: JSON.parse(body.toString()).id as string }),
    },
    page: {
      render: () => html`<form method="post"><button name="end" value="paid">Pay</button></form>`,
      submit: ({ end }, { attempt: { amount, currency } }) =>
        end === 'paid' ? { status: 'paid', amount, currency } : { status: 'pending' },
    },
    ...changes,
  }
}

const push = ({ reference }: { reference?: string | undefined }) => {
  const body = Buffer.from(JSON.stringify({ id: reference, state: 'paid' }))
  return { body, headers: { 'psp-signature': signature(body) }, query: '' }
}

describe('an adapter with everything holds', () => {
  testPaymentAdapter({ test, adapter: serviceAdapter(), push })
})

/** The names of the cases that an adapter does not hold. */
async function broken<S>(cases: readonly AdapterCase<S>[], subject: S): Promise<string[]> {
  const names: string[] = []
  for (const { name, leftOut, run } of cases) {
    if (leftOut?.(subject) === undefined) await run(subject).catch(() => names.push(name))
  }
  return names
}

let random = 0
const quoting = (changes: Partial<AnyRateAdapter>): AnyRateAdapter => ({
  ...{ name: 'faulty', quote: () => [method] },
  ...changes,
})

/** What adapters do wrong, by the case that must catch it. */
const faultsOf = <A>(faults: Record<string, Record<string, Partial<A>>>) =>
  Object.entries(faults).flatMap(([name, changes]) =>
    Object.entries(changes).map(([fault, changed]) => [fault, changed, name] as const),
  )

describe('a faulty rate adapter is caught', () => {
  test.each(
    faultsOf<AnyRateAdapter>({
      'it offers methods for a destination with rates, and all of them are valid': {
        'offers nothing': { quote: () => none('no') },
        'has a price below 0': { quote: () => [{ ...method, price_incl: -1 }] },
      },
      'no two methods have the same id': { 'doubles an id': { quote: () => [method, method] } },
      'prices with and without VAT agree with the tax rate': {
        'does not add up': { quote: () => [{ ...method, price_incl: 9 }] },
      },
      'the same request gets the same answer': {
        'prices by chance': { quote: () => [{ ...method, id: `door-${++random}` }] },
      },
      'it does not change its request': {
        'changes the question': {
          quote: (request) => {
            request.quote.weight = 1
            return [method]
          },
        },
      },
      'a destination without rates gets no methods, not an error': {
        'fails for a far country': {
          quote: ({ shipping_address: { country } }) => {
            if (country !== 'nl') throw new Error('no zone')
            return [method]
          },
        },
      },
      'an address without data is answered, not an error': {
        'needs an address': {
          quote: ({ shipping_address }) => {
            shipping_address.zipcode!.slice(0)
            return [method]
          },
        },
      },
      'a network failure is an error, or the usual answer, and never another price': {
        'answers 0 when its network fails': {
          quote: async (_request, { fetch }) => {
            try {
              await fetch('https://carrier.example/')
              return [method]
            } catch {
              return [{ ...method, price_incl: 0, price_excl: 0 }]
            }
          },
        },
      },
      'quote() stops at its deadline': {
        'pays no heed to its deadline': {
          quote: (_request, { signal }) => (signal.aborted ? new Promise(() => {}) : [method]),
        },
      },
      'an estimate has the prices of the checkout': {
        'estimates other prices': { estimate: () => [priced('1.00')] },
      },
      'an estimate needs no more than zipcode and country': {
        'asks an estimate for the customer': {
          estimate: (request) => {
            ;(request as never as { customer: { email: string } }).customer.email.slice(0)
            return [method]
          },
        },
      },
      'equal requests have one cache key, and another address has another': {
        'has one key for all': { cache: { ttl: 1, key: () => 'same' } },
      },
      'it has a name, and its needs are existing fields': {
        'names a need that there is not': { needs: ['email' as never] },
      },
    }),
  )('that %s', async (_fault, changes, name) => {
    // A network that answers, for the adapter that uses it.
    const fetch = async () => new Response('{}')
    expect(await broken(rateCases, { adapter: quoting(changes), fetch })).toContain(name)
  })

  test('and one without a fault is not', async () => {
    expect(await broken(rateCases, { adapter: quoting({ estimate: () => [method] }) })).toEqual([])
  })
})

describe('a faulty payment adapter is caught', () => {
  const { push: reader } = serviceAdapter()
  const session = (reference: string) => ({ redirect: 'https://psp.example/', reference })
  const pays = ({ amount, currency }: { amount: string; currency: string }) =>
    ({ status: 'paid', amount, currency }) as const
  const pending = () => ({ status: 'pending' }) as const
  const asking = { read: () => [], confirm: 'status' }
  const inPart = ({ body, headers }: { body: Buffer; headers: Record<string, string> }) =>
    signature(body).startsWith(headers['psp-signature'] ?? '')
  test.each(
    faultsOf<AnyPaymentAdapter>({
      'it offers methods, and all of them are valid': {
        'offers nothing': { methods: () => [] },
        'has a method without a title': { methods: () => [{ id: 'card' }] as never },
      },
      'start() answers in one of the allowed ways': {
        'starts in two ways': { start: () => ({ redirect: 'https://psp.example/', later: true }) as never },
        'starts with a path': { start: () => ({ redirect: '/pay' }) },
      },
      'the same idempotency key starts one payment': {
        'forgets its idempotency key': { start: () => session(`tr_${++random}`) },
      },
      'two payments have two references': {
        'has one reference for all': { start: () => session('tr') },
      },
      'find() finds a started payment by its key, and no other': {
        'finds what nobody has started': { find: () => session('tr') },
      },
      'a payment that was just started is not paid': {
        'says paid from the start': { status: pays },
        'says a word that nobody knows': { status: () => ({ status: 'settling' }) as never },
      },
      'cancelling twice is harmless, and never makes a payment': {
        'pays when it is cancelled': { cancel: pays },
      },
      'no forged push is verified': {
        'verifies nothing': { push: { ...reader!, verify: () => true } as never },
        'compares a part of the signature': { push: { ...reader!, verify: inPart } as never },
      },
      'its pushes are verified, or confirmed by status()': {
        'asks a status that it has not': { status: undefined, push: asking } as never,
      },
      'a genuine push is verified, and names its attempt': {
        'names another payment': { push: { ...reader!, read: () => ({ reference: 'other' }) } as never },
      },
      'its page is shown in every language, with a form that posts to itself': {
        'posts its form elsewhere': { page: { render: () => '<form action="/x">', submit: pending } },
      },
      'an empty form pays nothing': {
        'takes every form for money': {
          page: { render: () => '<form>', submit: (_form, { attempt }) => pays(attempt) },
        },
      },
    }),
  )('that %s', async (_fault, changes, name) => {
    const adapter = serviceAdapter(changes as Partial<PaymentAdapter>)
    expect(await broken(paymentCases, { adapter, push })).toContain(name)
  })

  test('and one without a fault is not', async () => {
    expect(await broken(paymentCases, { adapter: serviceAdapter(), push })).toEqual([])
  })
})

describe('a service that signs three parts of its pushes', () => {
  const signed = (id: string | null, sentAt: string) =>
    createHmac('sha256', 'secret').update(`${id};${sentAt}`).digest('hex')
  const parts = ({ reference }: { reference?: string | undefined }) => ({
    body: Buffer.from(JSON.stringify({ action: 'updated', data: { id: reference } })),
    query: `data.id=${reference}&topic=payment`,
    headers: { 'x-sent-at': '17', 'x-request': '1', 'x-signature': signed(reference!, '17') },
  })
  const signs = ['header x-sent-at', 'header x-signature', 'query data.id']
  const idOf = ({ query }: { query: string }) => new URLSearchParams(query).get('data.id')
  type Push = NonNullable<PaymentAdapter['push']>
  const verify: Push['verify'] = ({ headers, query }) =>
    headers['x-signature'] === signed(idOf({ query }), headers['x-sent-at']!)
  const read: Push['read'] = (push) => ({ reference: idOf(push)! })
  const ofBody: Push['read'] = ({ body }) => ({ reference: JSON.parse(body.toString()).data.id })

  test.each<[string, Push, string[]]>([
    ['right where only these parts count', { verify, read }, []],
    [
      'wrong where a part counts that nobody signed',
      { verify, read: ofBody },
      ['a part of a push that is not signed changes nothing'],
    ],
    [
      'wrong where a signed part is not verified',
      { verify: ({ query }) => query !== '', read },
      ['no forged push is verified'],
    ],
  ])('is %s', async (_how, reading, names) => {
    const adapter = serviceAdapter({ push: reading })
    expect(await broken(paymentCases, { adapter, push: parts, signs })).toEqual(names)
  })

  test('names no part that a push has not', () => {
    const says = 'signs: "query id" is not a part of the push: it has body, header x-sent-at'
    expect(() => forgedPushes(parts({ reference: 'tr_1' }), ['query id'])).toThrow(says)
  })
})

test('forged pushes are all unlike the genuine one, and it stays as it was', () => {
  const genuine = { ...push({ reference: 'tr_1' }), query: 'a=1' }
  const before = JSON.stringify(genuine)
  const forged = forgedPushes(genuine)
  expect(forged.length).toBeGreaterThan(10)
  for (const { push } of forged) expect(JSON.stringify(push)).not.toBe(before)
  expect(JSON.stringify(genuine)).toBe(before)
})

test('what is left out says why in the name of its test', () => {
  const names: string[] = []
  const runner = Object.assign(() => {}, { skip: (name: string) => void names.push(name) })
  testRateAdapter({ test: runner, adapter: quoting({}) })
  expect(names).toContain('an estimate has the prices of the checkout (left out: it answers no estimates)')
})
