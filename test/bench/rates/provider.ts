import { type ShipmentMethodsRequest, shipmentMethodsReader } from '../../../src/contract/index.ts'
import { neededFields } from '../../../src/privacy/needs.ts'
import { defaultRating } from '../../../src/provider/workings.ts'
import type { Workings } from '../../../src/use-cases/parts.ts'
import type { AnyRateAdapter } from '../../../src/use-cases/workings.ts'
import { unobserved, type World } from '../../../src/world.ts'
import { checkout } from '../../http/messages.ts'
import { testWorkings } from '../../workings.ts'

const nothing = () => {}

/** A world of its own clock, whose timers are those of the process. */
export const worldAt = (now: () => number): World => ({
  now,
  after(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
  random: Math.random,
  token: () => 'token',
  log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
  observer: unobserved,
  outgoing: {
    check: nothing,
    close: nothing,
    fetch: () => Promise.reject(new Error('no network')),
    send: () => Promise.reject(new Error()),
  },
})

export const providerOf = (world: World, rates: AnyRateAdapter[]): Workings =>
  testWorkings({
    world,
    store: undefined as never,
    rates,
    rating: { ...defaultRating, units: () => ({ weight: 'g', volume: 'cm3' }) },
  })

/** A checkout's question, read as these adapters need it. */
export function questions(rates: AnyRateAdapter[]) {
  const reader = shipmentMethodsReader(neededFields(rates))
  return (change: (body: typeof checkout) => void = nothing): { request: ShipmentMethodsRequest } => {
    const body = structuredClone(checkout)
    change(body)
    return { request: reader.parse(body) }
  }
}
