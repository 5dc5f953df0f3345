import { neededFields } from '../../../src/adapters/call-adapter.ts'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import { type ShipmentMethodsRequest, shipmentMethodsReader } from '../../../src/contract/index.ts'
import type { Workings } from '../../../src/parts.ts'
import type { World } from '../../../src/world.ts'
import { checkout } from '../../http/messages.ts'
import { quietWorld } from '../../quiet-world.ts'
import { defaultRating, testWorkings } from '../../workings.ts'

/** A world of its own clock, whose timers are those of the process. */
export const worldAt = (now: () => number): World =>
  quietWorld({
    now,
    after(ms, call) {
      const timer = setTimeout(call, ms)
      return () => clearTimeout(timer)
    },
    random: Math.random,
    token: () => 'token',
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
  return (change: (body: typeof checkout) => void = () => {}): { request: ShipmentMethodsRequest } => {
    const body = structuredClone(checkout)
    change(body)
    return { request: reader.parse(body) }
  }
}
