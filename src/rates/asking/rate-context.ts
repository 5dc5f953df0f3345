import { createHmac } from 'node:crypto'
import { type Deadline, deadlineFetch } from '../../adapters/call-adapter.ts'
import type { Tried } from '../../adapters/cause-of.ts'
import type { Audience, LeftOut } from '../../adapters/offered-methods.ts'
import type { QuoteWithFacts } from '../../adapters/product-facts.ts'
import type { Units } from '../../adapters/units.ts'
import type { AnyRateAdapter } from '../../any-adapter.ts'
import type { Parts } from '../../parts.ts'
import type { Shop } from '../../shops/shop.ts'
import type { OpenedSettings } from '../../shops/shop-settings.ts'
import type { Log, OutgoingCaller, World } from '../../world.ts'
import {
  asQuoteRequest,
  type InnerQuestion,
  none,
  type QuoteRequest,
  type RateContext,
  type RateQuestion,
} from '../adapter.ts'
import { OutgoingTries, type OutgoingTry, type ReplacedAdapter } from '../explanation.ts'
import type { Parcels, UnknownFigure } from '../parcels/packing.ts'
import type { ParcelRules } from '../parcels/parcel-rules.ts'
import { parcelsOf } from '../parcels/parcels.ts'
import { oneZipcode } from '../zipcodes/zipcode.ts'

/** An adapter that another one holds failed or was skipped: the message says which and why. It is logged and counted already. */
export class InnerFailed extends Error {
  override readonly name = 'InnerFailed'
}

export interface Part {
  adapter: AnyRateAdapter
  /** Its name in metrics, breakers and explanations: `carrier`, or `both/carrier` for one that `both` holds. */
  name: string
  shop: Shop
  opened: OpenedSettings
  /** Those of the adapter or its fallback. Throws if they do not match its schema. */
  settings: (adapter: AnyRateAdapter) => unknown
  audience: Audience
  /** How long it may take, in milliseconds. */
  ms: number
  /** That of the whole answer. Without it the part has one of its own. */
  deadline?: Deadline
  question: RateQuestion | InnerQuestion
  /** Whether the explanation repeats the adapter's own words, which may hold what a customer typed. */
  ownWords: boolean
  /** Whether another adapter holds it, which hands on its methods. They are checked there. */
  isInner: boolean
}

export interface AdapterQuestion {
  call: 'quote' | 'estimate'
  /** Of the destination, if the adapter needs it. */
  country: string | undefined
  request: object
  /** Without it the adapter is called every time. */
  key: ((ctx: () => RateContext) => string) | undefined
}

/** The question to one adapter; `undefined` if it takes no part in this one. */
export function questionFor({ rates }: Parts<'rates'>, part: Part): AdapterQuestion | undefined {
  const { adapter, name, shop, question } = part
  const { estimate, cache } = adapter
  const keyed = (...parts: unknown[]) =>
    questionKey(rates.memory.secret, [name, shop.id, shop.settingsVersion, ...parts])

  if ('estimate' in question && typeof estimate === 'function') {
    const request = cache ? withoutMoment(question.estimate) : question.estimate
    const key = cache && (() => keyed('estimate', withOneZipcode(request)))
    return { call: 'estimate', country: request.shipping_address.country, request, key }
  }
  if ('estimate' in question && estimate !== 'quote') return undefined
  const whole =
    'estimate' in question
      ? asQuoteRequest(adapter, question.estimate)
      : rates.cuts.of(adapter)('request' in question ? question.request : question.quote)
  const request = cache ? withoutMoment(whole) : whole
  const key = (ctx: () => RateContext) => {
    const asked = withOneZipcode(request)
    if (cache?.key) return keyed('own', asked.shop, String(cache.key(asked, ctx())))
    const { shop, customer, billing_address, shipping_address, quote } = asked
    return keyed('quote', [shop, said(customer), said(billing_address), said(shipping_address), quote])
  }
  return { call: 'quote', country: request.shipping_address.country, request, key: cache && key }
}

/** Drops missing fields, so that cart and checkout share a cache key. */
const said = (part: object) =>
  Object.entries(part)
    .filter(([, value]) => value !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))

/** Leaves out the fields that differ in every request, for adapters with a cache. */
export function withoutMoment<R extends Pick<QuoteRequest<never>, 'quote' | 'checkout_id'>>(request: R): R {
  const { id: _id, created_at: _created, updated_at: _updated, ...quote } = request.quote
  return { ...request, checkout_id: undefined, quote }
}

/** A request with its zipcodes in one way to write them: `1016 gv` is `1016GV`. */
function withOneZipcode<R extends object>(request: R): R {
  const written = Object.entries(request).map(([name, part]) => {
    const zipcode = part?.zipcode && oneZipcode(part.country, part.zipcode)
    return [name, zipcode ? { ...part, zipcode } : part]
  })
  return Object.fromEntries(written)
}

/** One key for all equal requests: an HMAC of exactly the adapter's input, so that the keys of a process reveal nothing. */
export const questionKey = (secret: string, parts: unknown): string =>
  createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64')

const mostNotes = 100

export class Context implements RateContext {
  readonly shop: { id: string }
  readonly now: () => number
  readonly after: World['after']
  readonly log: Log
  readonly none = none
  readonly ask: RateContext['ask']
  readonly notes: string[] = []
  readonly counted: Parcels[] = []
  readonly failed: string[] = []
  readonly replaced: ReplacedAdapter[] = []
  readonly leftOut: LeftOut[] = []
  readonly part: Part
  /** When it was created, in milliseconds since 1970. */
  readonly since: number
  asked = false
  readonly deadline: Deadline
  readonly #workings: Parts<'world' | 'rates'>
  #tries: OutgoingTries | undefined

  constructor(
    workings: Parts<'world' | 'rates'>,
    part: Part,
    deadline: Deadline,
    askFor: (holder: Context) => RateContext['ask'],
  ) {
    this.shop = { id: part.shop.id }
    this.now = workings.world.now
    this.after = (ms, call) => workings.world.after(ms, call)
    this.log = workings.world.log
    this.part = part
    this.since = workings.world.now()
    this.#workings = workings
    this.deadline = deadline
    this.ask = askFor(this)
  }

  get calls(): readonly OutgoingTry[] {
    return this.#tries?.all ?? []
  }

  get tried(): Tried {
    const readsFiles = this.part.adapter.files !== undefined
    return { lastStatus: this.#tries?.lastStatus, called: this.calls.length > 0, readsFiles }
  }

  addCalls(calls: readonly OutgoingTry[]): void {
    if (calls.length > 0) this.#recorded.all.push(...calls)
  }

  // Bound, because adapters destructure the context.
  readonly explain = (note: string): void => {
    if (this.notes.length < mostNotes) this.notes.push(String(note).slice(0, 500))
  }

  readonly parcels = (quote: QuoteWithFacts, rules: ParcelRules): Parcels => {
    const parcels = parcelsOf(quote, this.units, rules)
    this.counted.push(parcels)
    for (const figure of parcels.unknown) this.#noteUnmeasured(figure)
    return parcels
  }

  #noteUnmeasured(figure: UnknownFigure): void {
    const { unmeasured } = this.#workings.rates.memory
    const about = { adapter: this.part.name, shop: this.shop.id }
    const key = `${about.adapter} ${about.shop} ${figure}`
    if (unmeasured.has(key)) return
    unmeasured.set(key, true)
    this.log.warn(about, `${figure} of the cart is known only in part: the unknown part does not count`)
  }

  get settings(): unknown {
    return this.part.settings(this.part.adapter)
  }

  get units(): Units {
    return this.part.opened.units ?? this.#workings.rates.rating.units(this.shop)
  }

  get signal() {
    return this.deadline.signal
  }

  get fetch() {
    return this.#recorded.of(deadlineFetch(this.#workings.world, this.deadline, this.#caller))
  }

  get sharedFetch(): typeof fetch {
    const { outgoing } = this.#workings.world
    return this.#recorded.of((input, init) => outgoing.fetch(input, init, this.#caller))
  }

  get #recorded(): OutgoingTries {
    this.#tries ??= new OutgoingTries(this.now, this.part.ownWords)
    return this.#tries
  }

  get #caller(): OutgoingCaller {
    const { name, network } = this.part.adapter
    return { name, network, shop: this.shop.id, kind: 'rates' }
  }
}
