import type { Workings } from '../parts.ts'
import type { Payments } from '../payments/payments.ts'
import type { PlatformClient } from '../platform/client.ts'
import type { RatesExplanation } from '../rates/explanation.ts'
import type { Shops } from '../shops/shops.ts'
import type { StorePort } from '../store-port.ts'
import type { ConsoleOptions } from './options.ts'
import { type Action, actions, allows, rolesWith } from './roles.ts'
import type { Who } from './session.ts'

/** The provider behind the console. */
export interface ConsoleParts {
  /** Of the provider: actions go through it. */
  workings: Workings
  /** A connection of its own, so that no checkout waits for a page. */
  store: StorePort
  options: ConsoleOptions
  payments: Payments
  shops: Shops
  platform(shopId: string): Promise<PlatformClient>
  explain(body: unknown, options: { shop?: string }): Promise<RatesExplanation>
  /** The address of the console as its users see it. */
  url(): string
}

/** Why something is not done, in a sentence for whoever asked for it. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, sentence: string) {
    super(sentence)
    this.status = status
  }
}

/** Throws a `Refused` for somebody whose role may not do it. In development everybody may do everything. */
export function expectRole(who: Who | undefined, action: Action): void {
  if (!who || allows(who.role, actions[action])) return
  throw new Refused(403, `Your role (${who.role}) may not do this. ${rolesWith(actions[action])} may.`)
}
