/**
 * Mistakes that the compiler must see, each in a call that is right without it. `test/cli/dev/init.types.test.ts` compiles this file with the
 * declarations of the package; a mistake that compiles makes its `@ts-expect-error` an error.
 */
import {
  createProvider,
  decimal,
  memoryStore,
  paymentAdapter,
  postgresStore,
  price,
  type RateAdapter,
  rateAdapter,
  sqliteStore,
} from 'purveyor'
import { checkProvider } from 'purveyor/conformance'
import { createCharges, createPlatformClient, verifyCallback } from 'purveyor/platform'
import {
  combine,
  deliveryPromise,
  flatRate,
  freeFrom,
  markup,
  oauth,
  pickupPoints,
  promised,
  remoteRates,
  tableRates,
  taxed,
  when,
} from 'purveyor/rates'
import { createSandbox } from 'purveyor/sandbox'
import { checkoutBody, paymentBody, startSandbox, testProvider, testRateAdapter } from 'purveyor/testing'

declare const adapter: RateAdapter
declare const test: (name: string, run: () => Promise<void>) => void
const rates = { name: 'door', quote: () => [] }

export const mistakes: Record<string, () => unknown> = {
  money() {
    // @ts-expect-error no method of a decimal
    decimal('1').nonsense()
    // @ts-expect-error a decimal is not a number
    const sum: number = decimal('1').plus('2')
    // @ts-expect-error nor text
    const text: string = decimal('1')
    // @ts-expect-error one side only
    price({ excl: '5.00', incl: '6.05', taxRate: '0.21', currency: 'eur' })
    // @ts-expect-error the tax rate is required
    price({ excl: '5.00', currency: 'eur' })
    return [sum, text]
  },

  provider() {
    // @ts-expect-error unknown
    createProvider({ rates, nonsense: true })
    // @ts-expect-error a number
    createProvider({ rates, port: '3000' })
    // @ts-expect-error of milliseconds
    createProvider({ rates: { adapters: rates, deadline: '2s' } })
    // @ts-expect-error unknown
    createProvider({ rates: { adapters: rates, deadlines: 2_000 } })
    // @ts-expect-error no unit
    createProvider({ rates: { adapters: rates, units: { weight: 'stone' } } })
    // @ts-expect-error unknown
    createProvider({ rates, http: { stopDelays: 1 } })
    // @ts-expect-error of calls
    createProvider({ rates, http: { limits: { perSecond: '200' } } })
    // @ts-expect-error of bytes
    createProvider({ rates, http: { maxBody: '1mb' } })
    // @ts-expect-error unknown
    createProvider({ rates, network: { allowLoopbacks: true } })
    // @ts-expect-error of days
    createProvider({ rates, payments: { adapters: [], retention: '1y' } })
    // @ts-expect-error unknown
    createProvider({ rates, payments: { adapters: [], deadlines: { begin: 1 } } })
    // @ts-expect-error options of a store, not a store
    createProvider({ rates, store: { file: 'shops.db' } })
    // @ts-expect-error pixels
    createProvider({ rates, payments: { adapters: [], brand: { name: 'Example', radius: '8px' } } })
    // @ts-expect-error no resource
    createProvider({ rates, resourceEvents: { products() {} } })
    // @ts-expect-error no argument
    memoryStore({ file: 'shops.db' })
    // @ts-expect-error unknown
    sqliteStore({ file: 'shops.db', wal: true })
    // @ts-expect-error a number
    postgresStore({ url: 'postgres://localhost/shops', connections: '10' })
  },

  adapters() {
    // @ts-expect-error unknown
    rateAdapter({ ...rates, nonsense: true, quote: () => [] })
    // @ts-expect-error unknown
    rateAdapter({ name: 'door', quote: () => [], nonsense: true })
    // @ts-expect-error an undeclared field
    rateAdapter({ name: 'door', quote: ({ customer }, ctx) => ctx.none(customer.email) })
    // @ts-expect-error a method has prices
    rateAdapter({ name: 'door', quote: () => [{ id: 'door', title: 'At your door' }] })
    // @ts-expect-error milliseconds
    rateAdapter({ name: 'door', quote: () => [], cache: { ttl: '1m' } })
    // @ts-expect-error no needed field
    rateAdapter({ name: 'door', needs: ['customer.shoeSize'], quote: () => [] })
    // @ts-expect-error unknown
    paymentAdapter({ name: 'psp', methods: () => [], start: () => ({ page: true }), nonsense: true })
    // @ts-expect-error the next step is missing
    paymentAdapter({ name: 'psp', methods: () => [], start: () => ({}) })
  },

  rates() {
    const door = { id: 'door', title: 'At your door', excl: '5.00', taxRate: '0.21' }
    // @ts-expect-error unknown
    flatRate({ ...door, id: 'door', nonsense: true })
    // @ts-expect-error a fraction as text or number
    flatRate({ ...door, taxRate: true })
    // @ts-expect-error the tax rate is required
    flatRate({ id: 'door', title: 'At your door', excl: '5.00' })
    // @ts-expect-error unknown
    tableRates({ file: 'tariff.csv', weightUnits: 'kg' })
    // @ts-expect-error no unit
    tableRates({ file: 'tariff.csv', weightUnit: 'stone' })
    // @ts-expect-error a number
    tableRates({ file: 'tariff.csv', parcel: { maxParcels: 'many' } })
    // @ts-expect-error unknown
    tableRates({ file: 'tariff.csv', parcel: { heaviest: 30 } })
    // @ts-expect-error unknown
    tableRates({ file: 'tariff.csv', surcharges: [{ name: 'fuel', percentage: 8 }] })
    // @ts-expect-error a whole number
    pickupPoints({ file: 'points.csv', taxRate: '0.21', excl: '4.00', nearest: 'five' })
    // @ts-expect-error unknown
    pickupPoints({ file: 'points.csv', taxRate: '0.21', excl: '4.00', nearest: 5, farthest: 10 })
    // @ts-expect-error milliseconds
    pickupPoints({ points: () => [], taxRate: '0.21', excl: '4.00', pointsCache: { ttl: '1h' } })
    // @ts-expect-error the time zone is required
    deliveryPromise({ cutOff: '17:00' })
    // @ts-expect-error no weekday
    deliveryPromise({ timeZone: 'Europe/Amsterdam', cutOff: { someday: '17:00' } })
    // @ts-expect-error no promise
    promised({ promise: '17:00' }, adapter)
    // @ts-expect-error unknown
    freeFrom({ value: '75.00', from: '75.00' }, adapter)
    // @ts-expect-error unknown
    markup({ percent: 10, percents: 10 }, adapter)
    // @ts-expect-error the rate is required
    taxed({ shifted: '0' }, adapter)
    // @ts-expect-error unknown
    when({ country: ['nl'] }, adapter)
    // @ts-expect-error the unit is required
    when({ weight: { upTo: 30 } }, adapter)
    // @ts-expect-error no way to combine
    combine('all', [adapter], 'dearest')
    // @ts-expect-error unknown
    remoteRates({ name: 'api', url: 'https://carrier.example', answer: () => [], retry: 2 })
    // @ts-expect-error milliseconds
    remoteRates({ name: 'api', url: 'https://carrier.example', answer: () => [], timeout: '2s' })
    // @ts-expect-error milliseconds
    oauth({ tokenUrl: 'https://carrier.example', credentials: () => ({}), lifetime: '1h' })
  },

  platform() {
    const api = { baseUrl: 'https://api.platform.example', language: 'nl', key: 'k', secret: 's' }
    // @ts-expect-error unknown
    createPlatformClient({ ...api, retries: 4 })
    // @ts-expect-error milliseconds
    createPlatformClient({ ...api, timeout: '10s' })
    const client = createPlatformClient(api)
    // @ts-expect-error a number
    client.externalServices.list({ limit: '250' })
    // @ts-expect-error no type of service
    void client.externalServices.create({ type: 'parcel' })
    const verifier = () => true
    // @ts-expect-error milliseconds
    createCharges({ client, callbackUrl: 'https://app.example', callbacks: { verifier }, cacheFor: '30s' })
    // @ts-expect-error no kind
    void verifyCallback('', { kind: 'payment', verifier })
  },

  tools() {
    // @ts-expect-error unknown
    createSandbox({ ports: 3001 })
    // @ts-expect-error milliseconds
    createSandbox({ timeout: '20s' })
    // @ts-expect-error no service
    createSandbox({ services: ['shipment'] })
    // @ts-expect-error unknown
    void createSandbox().checkout({ lang: 'nl' })
    // @ts-expect-error unknown
    void startSandbox(createProvider({ rates }), { clocks: true })
    // @ts-expect-error milliseconds
    void checkProvider('https://provider.example/e/x', { timeout: '20s' })
    // @ts-expect-error unknown
    testProvider({ test, open: () => '', readonly: true })
    // @ts-expect-error unknown
    testRateAdapter({ test, adapter, adapters: [] })
    // @ts-expect-error unknown
    checkoutBody({ contry: 'nl' })
    // @ts-expect-error text
    paymentBody({ amount: { incl: '29.34' } })
  },
}
