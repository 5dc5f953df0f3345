import assert from 'node:assert/strict'
import { checkShipmentMethods } from '../adapters/offered-methods.ts'
import type { AnyRateAdapter } from '../any-adapter.ts'
import type { MessageOptions } from '../messages/options.ts'
import { decimal } from '../money/index.ts'
import { type RateAnswer, withPromises } from '../rates/adapter.ts'
import { type AdapterCase, casesOf, frozen, registering, unless, within } from './adapter-case.ts'
import {
  checkoutRequest,
  estimateRequest,
  hasNameAndNeeds,
  prepareContext,
  rateContext,
  type Surroundings,
} from './subjects.ts'

/** The rate adapter under test, with what it needs. */
export interface RateSubject extends Surroundings {
  adapter: AnyRateAdapter
  /** A destination with rates. Default Amsterdam. */
  to?: MessageOptions
}

const audience = { language: 'en', currency: 'eur', convert: ({ amount }: { amount: string }) => amount }

async function quoted(subject: RateSubject, to = subject.to, surroundings: Surroundings = {}) {
  const { adapter } = subject
  const ctx = rateContext(adapter, { ...subject, ...surroundings })
  const request = checkoutRequest(adapter, to)
  const answer = await within('quote()', () => adapter.quote(request, ctx))
  return withPromises(adapter, answer, request.shipping_address, ctx)
}

async function estimated({ adapter, to, ...subject }: RateSubject): Promise<RateAnswer> {
  const request = frozen(estimateRequest(to))
  const ctx = rateContext(adapter, subject)
  const ask = adapter.estimate
  if (typeof ask === 'function') return within('estimate()', () => ask(request, ctx))
  // Calls `quote` for a cart, as the framework does: nothing is known of the customer.
  const asQuote = { ...request, customer: {}, billing_address: {} } as never
  return within('quote()', () => adapter.quote(asQuote, ctx))
}

function leaving({ name, allowNegative }: AnyRateAdapter, answer: RateAnswer) {
  if (!Array.isArray(answer)) {
    assert.equal(typeof answer?.none, 'string', "quote() answers a list of methods, or none('why')")
    return []
  }
  const { methods, leftOut } = checkShipmentMethods(name, answer, { ...audience, allowNegative })
  assert.deepEqual(leftOut, [], 'methods would be left out')
  return methods
}

const offered = async (subject: RateSubject, to = subject.to) =>
  leaving(subject.adapter, await quoted(subject, to))
const noEstimate = ({ adapter }: RateSubject) => (adapter.estimate ? undefined : 'it answers no estimates')
const rows = (methods: { id: string; price_incl: unknown }[]) =>
  methods.map(({ id, price_incl }) => `${id} ${price_incl}`)

/** The rules for every rate adapter. */
export const rateCases: readonly AdapterCase<RateSubject>[] = casesOf<RateSubject>({
  'it has a name, and its needs are existing fields': hasNameAndNeeds,
  'it starts': unless(
    ({ adapter }) => (adapter.prepare ? undefined : 'it has nothing to prepare'),
    async (subject) => within('prepare()', () => subject.adapter.prepare?.(prepareContext(subject))),
  ),
  async 'it offers methods for a destination with rates, and all of them are valid'(subject) {
    assert.notEqual((await offered(subject)).length, 0, 'no method; name a destination with rates in `to`')
  },
  async 'no two methods have the same id'(subject) {
    const ids = (await offered(subject)).map(({ id }) => id)
    assert.deepEqual(ids, [...new Set(ids)])
  },
  async 'prices with and without VAT agree with the tax rate'(subject) {
    for (const { id, price_incl, price_excl, tax_rate } of await offered(subject)) {
      const computed = decimal(price_excl!).times(decimal(tax_rate!).plus(1))
      const agrees = computed.minus(price_incl).abs().lte('0.011')
      assert.ok(agrees, `${id}: ${price_excl}, ${tax_rate} and ${price_incl}`)
    }
  },
  async 'the same request gets the same answer'(subject) {
    const [one, other] = [await offered(subject), await offered(subject)]
    assert.deepEqual(other, one)
  },
  async 'twenty simultaneous requests get the same answer'(subject) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => offered(subject)))
    for (const answer of answers) assert.deepEqual(answer, answers[0])
  },
  async 'it does not change its request'({ adapter, to, ...subject }) {
    const request = frozen(checkoutRequest(adapter, to))
    await within('quote()', () => adapter.quote(request, rateContext(adapter, subject)))
  },
  async 'a destination without rates gets no methods, not an error'(subject) {
    await offered(subject, { country: 'aq', zipcode: '' })
  },
  async 'an address without data is answered, not an error'({ adapter, ...subject }) {
    const request = checkoutRequest(adapter, {}, (body) => {
      for (const part of ['billing_address', 'shipping_address']) body[part] = {}
      body.customer = {}
    })
    leaving(adapter, await within('quote()', () => adapter.quote(request, rateContext(adapter, subject))))
  },
  async 'a quote without weight and products gets no price of 0'({ adapter, to, ...subject }) {
    const request = checkoutRequest(adapter, to, (body) => {
      Object.assign(body.quote, { weight: '', volume: '', products: [] })
    })
    const asked = within('quote()', () => adapter.quote(request, rateContext(adapter, subject)))
    // An adapter that needs a weight may answer none, or fail.
    leaving(adapter, await asked.catch(() => ({ none: '' })))
  },
  async 'a network failure is an error, or the usual answer, and never another price'(subject) {
    const fails = { fetch: () => Promise.reject(new TypeError('fetch failed')) }
    const answer = await quoted(subject, subject.to, fails).catch(() => undefined)
    if (answer === undefined) return
    const always = await offered(subject)
    const failed = leaving(subject.adapter, answer)
    // A fallback has methods of its own.
    for (const method of failed) assert.deepEqual(method, always.find(({ id }) => id === method.id) ?? method)
  },
  async 'quote() stops at its deadline'({ adapter, to, ...subject }) {
    const ctx = rateContext(adapter, { ...subject, signal: AbortSignal.abort() })
    const request = checkoutRequest(adapter, to)
    await within('quote() after its deadline', () => adapter.quote(request, ctx)).catch((error: Error) =>
      assert.doesNotMatch(error.message, /took longer/),
    )
  },
  'an estimate needs no more than zipcode and country': unless(
    noEstimate,
    async (subject) => void leaving(subject.adapter, await estimated(subject)),
  ),
  'an estimate has the prices of the checkout': unless(noEstimate, async (subject) => {
    const ofCheckout = rows(await offered(subject))
    for (const row of rows(leaving(subject.adapter, await estimated(subject))))
      assert.ok(ofCheckout.includes(row), row)
  }),
  'equal requests have one cache key, and another address has another': unless(
    ({ adapter }) => (adapter.cache?.key ? undefined : 'it has no cache key of its own'),
    async ({ adapter, to, ...subject }) => {
      const ctx = rateContext(adapter, subject)
      const key = (where?: MessageOptions) => adapter.cache?.key?.(checkoutRequest(adapter, where), ctx)
      assert.equal(key(to), key(to))
      assert.notEqual(key({ ...to, country: 'de', zipcode: '10115' }), key(to))
    },
  ),
})

/** Registers the rules for every rate adapter as tests: `testRateAdapter({ test, adapter, to: { country: 'nl' } })`. */
export const testRateAdapter = registering('testRateAdapter', rateCases)
