import { z } from 'zod'
import { anyOption, each, optionGroup } from '../checked-options.ts'
import { paymentStatuses } from '../contract/payment.ts'
import type { Served } from '../contract/served.ts'
import {
  type CartOptions,
  type CheckoutOptions,
  only,
  optionsOf,
  readOptions,
  wordOf,
} from '../messages/options.ts'
import type { PayAgain, PlaceOrder } from './checkout.ts'
import type { OrderStatus, WaitOptions } from './orders.ts'
import type { RunOptions } from './scenarios/scenario.ts'
import type { Seeds } from './seed-files.ts'
import type { NewService } from './state.ts'

/** Options of `createSandbox`. Times are in milliseconds. */
export interface SandboxOptions {
  /** A provider's `urlEndpoint` to register at the start. Loopback http is allowed here; a platform accepts only https. */
  endpoint?: string
  /** Registers `endpoint` for these (spec 2.2 type). Default: `['rates', 'payments']`. */
  services?: readonly Served[]
  /** Whether the cart asks `endpoint` for estimates. Default true. */
  estimates?: boolean | undefined
  /** The port of the shop. Default: a free one. */
  port?: number
  /** How long the shop waits for an answer, in milliseconds. Default: as the switch `cutOff` says, 20,000. */
  timeout?: number
  /** The file of the store. Default: in memory. */
  file?: string
  /** The credentials of the shop's API. Default: 32 random characters each, new for every sandbox. They are kept in `file`. */
  key?: string
  /** The secret that belongs to `key`. Default: as above. */
  secret?: string
  /** The secret that signs callbacks. Default: as above. */
  appSecret?: string
  /** Initial records, by resource: lists, or what iterates over them. */
  resources?: Seeds | undefined
  /** A file or a folder with initial records, as `purveyor sandbox --seed` reads it. `resources` come before it. */
  seed?: string
  /** Listens on https, with a certificate made at the start. Default false. */
  https?: boolean
  /** Moves the clocks of the providers too, if they can be moved; back by a negative number. In milliseconds. */
  moveProviders?: (ms: number) => Promise<void>
  /** The id of the first order. Default 1,001. */
  firstOrder?: number
  /**
   * Starts a provider with an empty store for the scenarios of the page, so that none of them touches the payments of the shop's orders.
   * Default: they call the registered services.
   */
  scenarioProvider?: () => Promise<ScenarioProvider>
}

/** A provider that runs for scenarios only. */
export interface ScenarioProvider {
  endpoint: string
  services: readonly Served[]
  /** Whether it answers the cart. Default true. */
  estimates?: boolean
  /** Moves its clock, back by a negative number. In milliseconds. */
  move: (ms: number) => Promise<void>
  stop: () => Promise<void>
}

/** The names; the values are checked where they are used. */
export const sandboxOptions = optionGroup({
  ...each(anyOption, 'endpoint', 'services', 'port', 'timeout', 'file', 'key', 'secret', 'appSecret'),
  ...each(anyOption, 'resources', 'seed', 'https', 'moveProviders', 'firstOrder', 'scenarioProvider'),
  estimates: z.boolean().optional(),
} satisfies Record<keyof SandboxOptions, z.ZodType>)

/** The options of each call of a customer or a program, made once they are read: a start needs none. */
function optionsOfCalls() {
  const milliseconds = z.number().min(0).optional()
  const flag = z.boolean().optional()
  const cart = only('lines', 'currency', 'shop') satisfies Record<keyof CartOptions, z.ZodType>
  const method = z.string().optional()
  const choice = { shipmentMethod: method, paymentMethod: method, ...only('data') }
  const checkout = only('language', 'customer', 'address', 'billing', 'guest', 'ownPayment')
  return {
    checkout: optionsOf<CheckoutOptions>({ ...cart, ...checkout }),
    estimate: optionGroup({
      // A cart knows no default for these.
      address: optionGroup(only('zipcode', 'country')).required(),
      ...only('language'),
      options: optionsOf<CartOptions>(cart).optional(),
    }),
    run: optionsOf<RunOptions>({
      ...only('country', 'zipcode', 'currency'),
      ...{ patience: milliseconds, choose: anyOption, methods: z.array(z.string()).optional() },
    }),
    placeOrder: optionsOf<PlaceOrder>({ ...choice, ...only('customer') }),
    payAgain: optionsOf<PayAgain>({ ...choice, ...only('lines', 'currency') }),
    waitForStatus: optionsOf<WaitOptions & { status: OrderStatus }>({
      status: wordOf(['not_paid', ...paymentStatuses]),
      timeout: milliseconds,
    }),
    // The address is checked where it is used.
    register: optionsOf<NewService>({
      type: z.enum(['shipment', 'payment'], 'must be shipment or payment'),
      ...{ name: z.string(), urlEndpoint: anyOption, shop: z.int().optional() },
      ...{ isActive: flag, rateEstimate: flag },
    }),
  }
}
let calls: ReturnType<typeof optionsOfCalls> | undefined

/** The options of a call, without undefined fields. Throws `ARGUMENT_INVALID` that names every fault. */
export function readCall<Options>(call: keyof NonNullable<typeof calls>, options: Options): Options {
  calls ??= optionsOfCalls()
  return readOptions(`${call}()`, calls[call], options)
}
