import { z } from 'zod'
import { paymentStatuses } from '../contract/payment.ts'
import { wrongCall } from '../errors.ts'
import {
  type CartOptions,
  type CheckoutOptions,
  type Destination,
  only,
  optionsOf,
  readOptions,
} from '../messages/options.ts'
import { didYouMean } from '../use-cases/nearest.ts'
import { anyOption, checkOptions, optionGroup } from '../use-cases/option-faults.ts'
import { choiceOptions, type PayAgain } from './checkout.ts'
import type { OrderStatus } from './orders.ts'
import type { RunOptions } from './scenarios/run.ts'
import type { NewService } from './services.ts'
import type { WaitOptions } from './shop.ts'

const milliseconds = z.number().min(0).optional()
const flag = z.boolean().optional()
const cart = only('lines', 'currency', 'shop') satisfies Record<keyof CartOptions, z.ZodType>

const checkoutOptions = optionsOf<CheckoutOptions>({
  ...cart,
  ...only('language', 'customer', 'address', 'billing', 'ownPayment'),
})
const estimateOptions = optionGroup({
  // A cart knows no default for these.
  address: optionGroup(only('zipcode', 'country')).required(),
  ...only('language'),
  options: optionsOf<CartOptions>(cart).optional(),
})
const runOptions = optionsOf<RunOptions>({
  ...only('country', 'zipcode', 'currency'),
  patience: milliseconds,
  choose: anyOption,
  methods: z.array(z.string()).optional(),
})
const againOptions = optionsOf<PayAgain>(choiceOptions)
const waitOptions = optionsOf<WaitOptions>({ timeout: milliseconds })
/** The address is checked where it is used. */
const serviceOptions = optionsOf<NewService>({
  type: z.enum(['shipment', 'payment'], 'must be shipment or payment'),
  name: z.string(),
  urlEndpoint: anyOption,
  isActive: flag,
  rateEstimate: flag,
  shop: z.int().optional(),
})

// The questions of customers and programs to a shop, without undefined fields. Each throws `ARGUMENT_INVALID` that names every fault.

export const readCheckout = (options: CheckoutOptions = {}): CheckoutOptions =>
  readOptions('checkout()', checkoutOptions, options)

export const readEstimate = (address: Destination, language?: string, options: CartOptions = {}) =>
  readOptions('estimate()', estimateOptions, { address, language, options })

export const readAgain = (choice: PayAgain = {}): PayAgain => readOptions('payAgain()', againOptions, choice)

export const readRun = (options: RunOptions = {}): RunOptions => readOptions('run()', runOptions, options)

export const readService = (service: NewService): NewService =>
  readOptions('register()', serviceOptions, service)

const statuses: readonly OrderStatus[] = ['not_paid', ...paymentStatuses]

export function checkWait(status: unknown, options: unknown): void {
  if (!statuses.some((one) => one === status))
    throw wrongCall(
      `waitForStatus(): status "${String(status)}" is not known: ${didYouMean(String(status), statuses)}`,
    )
  checkOptions('waitForStatus()', waitOptions, options)
}
