import fc from 'fast-check'
import type { Units } from '../../../src/adapters/units.ts'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import type { Quote } from '../../../src/contract/index.ts'
import type { OfferedShipmentMethod } from '../../../src/index.ts'
import { none, type PrepareContext, type RateContext, withPromises } from '../../../src/rates/adapter.ts'
import type { Parcels } from '../../../src/rates/parcels/packing.ts'
import { parcelsOf } from '../../../src/rates/parcels/parcels.ts'
import type { LogLine } from '../../helpers/world.ts'

export interface To {
  country?: string
  zipcode?: string
  region?: string
  /** Grams. */
  weight?: number | undefined
  value?: string
  currency?: string
  language?: string
  customer?: object
  products?: object[]
  vatShifted?: boolean
}

const silent = () => {}

/** For `prepare` outside a provider. */
export const preparing: PrepareContext = {
  signal: new AbortController().signal,
  fetch: globalThis.fetch,
  now: Date.now,
  log: { debug: silent, info: silent, warn: silent, error: silent },
}

/** Asks one adapter as the framework does, and notes what it explained. */
export function asking(adapter: AnyRateAdapter, units: Units = { weight: 'g', volume: 'cm3' }) {
  const notes: string[] = []
  const lines: LogLine[] = []
  const line = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, fields: fields as Record<string, unknown>, message })
  let now = 1
  const ctx: RateContext = {
    settings: undefined,
    shop: { id: 'default' },
    signal: new AbortController().signal,
    fetch: globalThis.fetch,
    sharedFetch: globalThis.fetch,
    now: () => now,
    after(ms, call) {
      const timer = setTimeout(call, ms)
      return () => clearTimeout(timer)
    },
    none,
    async ask({ adapter: inner }, question) {
      return inner.quote(('quote' in question ? question.quote : question.estimate) as never, ctx)
    },
    log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    explain: (note) => void notes.push(note),
    units,
    parcels: (quote: Quote, rules): Parcels => parcelsOf(quote, units, rules),
  }
  const request = ({
    country = 'nl',
    zipcode = '1012LG',
    region,
    weight = 900,
    value = '30',
    currency = 'eur',
    language = 'en',
    customer = {},
    products = [],
    vatShifted = false,
  }: To = {}) => ({
    shop: { id: '7', language, currency },
    customer,
    billing_address: {},
    shipping_address: { country, zipcode, region },
    quote: {
      ...{ price_incl: value, price_excl: value, weight, products },
      ...{ vat_shifted: vatShifted, totals: { taxes: [] } },
    },
  })
  const ask = async (to: To = {}) =>
    withPromises(adapter, await adapter.quote(request(to) as never, ctx), { country: 'nl', ...to }, ctx)
  return {
    notes,
    lines,
    ctx,
    later(ms: number) {
      now += ms
    },
    ask,
    /** `id price` of each method. */
    async rates(to?: To): Promise<string[]> {
      const answer = await ask(to)
      return Array.isArray(answer)
        ? answer.map(({ id, price_excl }) => `${id} ${price_excl}`)
        : [`none: ${answer.none}`]
    },
  }
}

/** The price of the first method of an adapter. */
export async function priceOf(adapter: AnyRateAdapter, to: To = {}) {
  const [{ price_excl, price_incl, tax_rate }] = (await asking(adapter).ask(to)) as [OfferedShipmentMethod]
  return { price_excl, price_incl, tax_rate }
}

export const cents = fc.integer({ min: 1, max: 100_000 }).map((one) => (one / 100).toFixed(2))
export const taxRates = fc.constantFrom(...'0 0.025 0.055 0.06 0.09 0.19 0.21 0.255 0.27'.split(' '))
