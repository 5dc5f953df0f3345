import { neededFields } from '../../../src/adapters/call-adapter.ts'
import { readMessage, shipmentMethodsReader } from '../../../src/contract/index.ts'
import { price, z } from '../../../src/index.ts'
import { quoteRates } from '../../../src/rates/asking/quote-rates.ts'
import type { RatesExplanation } from '../../../src/rates/explanation.ts'
import { flatRate, oauth, onFailure, remoteRates } from '../../../src/rates/index.ts'
import { newShop } from '../../../src/shops/shop.ts'
import { OpenedSettings } from '../../../src/shops/shop-settings.ts'
import { providerIn } from '../../helpers/world.ts'
import { checkout } from '../../http/messages.ts'
import { quietWorld } from '../../quiet-world.ts'
import { Clock } from '../clock.ts'
import { Random } from '../random.ts'
import { Carrier, isServed, priceOf } from './carrier.ts'

const minute = 60_000
const deadline = 2_500
/** Promises end every quarter of an hour. */
const cutOffEvery = 15 * minute
/** After its last trouble a carrier is left alone no longer than this. */
const healed = 25_000

const account = z.object({ id: z.string(), secret: z.string() })

const adapter = onFailure(
  remoteRates({
    name: 'carrier',
    settings: account,
    url: 'https://carrier.example/rates',
    needs: ['shipping_address.zipcode'],
    auth: oauth({
      tokenUrl: 'https://carrier.example/token',
      credentials: (one: { id: string; secret: string }) => one,
      send: 'body',
    }),
    cache: { ttl: 10 * minute, staleFor: 60 * minute },
    body: ({ shipping_address }) => ({ zipcode: shipping_address.zipcode }),
    answer(body, _request, { now }) {
      const goodUntil = (Math.floor(now() / cutOffEvery) + 1) * cutOffEvery
      const excl = ((body as { cents: number }).cents / 100).toFixed(2)
      const priced = price({ excl, taxRate: 0, currency: 'eur' })
      return [{ id: 'door', title: `before ${goodUntil}`, goodUntil, ...priced }]
    },
    refused: (_status, _body, _request, { none }) => none('not served'),
  }),
  flatRate({ id: 'own', title: 'Own', excl: '8.95', taxRate: 0 }),
)

/** Sessions of customers over two hours of virtual time, with a carrier whose token ends, is revoked, and that is away for a while. */
export async function simulateCarriers(seed: number, sessions: number, shops: number) {
  const random = new Random(seed)
  const clock = new Clock(Date.UTC(2026, 10, 23, 8), () => true)
  const carrier = new Carrier(clock, new Random(seed * 8 + 1))
  let tokens = 0
  const world = quietWorld({
    now: () => clock.now,
    after: (ms, call) => clock.after(ms, call),
    random: () => random.next(),
    token: () => `t${++tokens}`,
    fetch: carrier.fetch,
  })
  const workings = providerIn(world, { rates: [adapter] })
  const read = shipmentMethodsReader(neededFields([adapter, adapter.fallback!]))
  const settings = new Map<string, OpenedSettings>()
  const settingsOf = (id: string) => {
    const known =
      settings.get(id) ?? new OpenedSettings(id, { adapters: { carrier: { id, secret: `of ${id}` } } })
    settings.set(id, known)
    return known
  }
  const violations = new Set<string>()
  const waits: number[] = []
  let fallbacks = 0

  async function customer(shopId: string, zipcode: string): Promise<void> {
    const body = structuredClone(checkout)
    Object.assign(body.shipping_address, { zipcode })
    const request = readMessage(read, body)
    const began = clock.now
    const answer = await quoteRates(workings, newShop(shopId), { request }, settingsOf(shopId))
    waits.push(clock.now - began)
    if (answer.adapters[0]!.fallback !== undefined) fallbacks++
    for (const fault of faultsOf(answer, shopId, zipcode)) violations.add(fault)
  }

  function* faultsOf({ adapters }: RatesExplanation, shopId: string, zipcode: string): Generator<string> {
    const [{ result, methods, fallback, calls, reason }] = adapters as [RatesExplanation['adapters'][number]]
    const door = methods.find(({ id }) => id === 'door')
    if (door && door.price_excl !== priceOf(shopId) / 100)
      yield `${shopId} was shown the price of another shop`
    if (door && Number(door.title.slice('before '.length)) <= clock.now)
      yield 'a promise was shown after its cut-off'
    if (door && !isServed(zipcode)) yield 'an address that is refused got a price'
    const refused = calls.some(({ status = 0 }) => status === 400 || status === 404 || status === 422)
    if (refused && (result !== 'none' || fallback !== undefined))
      yield `a refusal counted as ${fallback ? 'a failure with a fallback' : result}`
    const well = clock.now - carrier.troubledAt > healed && !carrier.isDown && !carrier.isSlow
    if (!well) return
    if (fallback !== undefined || result === 'failed' || result === 'skipped')
      yield `failed beside a sound carrier: ${reason}`
    if (workings.rates.memory.breakers.open().some(({ nextTry }) => nextTry > clock.now))
      yield 'a breaker is open beside a sound carrier'
  }

  const length = 120 * minute
  const start = clock.now
  for (let session = 0; session < sessions; session++) {
    const shopId = `shop-${random.between(1, shops)}`
    // Customers often come at once, and many look at the same address twice.
    const at = random.between(0, length / 250) * 250
    const zipcode = `${random.between(1_000, 1_039)}AB`
    const broke = (error: unknown) => violations.add(`a quote broke: ${error}`)
    clock.after(at, () => void customer(shopId, zipcode).catch(broke))
  }
  for (const at of [20, 62, 95]) clock.after(at * minute, () => carrier.revokeAll())
  await clock.moveTo(start + length + 10_000)
  if (waits.length !== sessions) violations.add(`${sessions - waits.length} sessions had no answer`)
  const p99 = waits.toSorted((one, other) => one - other)[Math.ceil(waits.length * 0.99) - 1] ?? 0
  if (p99 > deadline + 10) violations.add(`p99 is ${p99} ms`)
  const { logins, refusals, rejected: rejected_tokens } = carrier
  const found = [...violations, ...new Set(carrier.violations)]
  return { sessions, shops, logins, refusals, rejected_tokens, fallbacks, p99_ms: p99, violations: found }
}
