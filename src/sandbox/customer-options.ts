import { z } from 'zod'
import { paymentStatuses } from '../contract/payment.ts'
import { wrongCall } from '../errors.ts'
import {
  addressOption,
  choiceOptions,
  countryOption,
  customerOption,
  destination,
  given,
  inSmall,
  languageOption,
  textOption,
} from '../messages/options.ts'
import type { Destination } from '../messages/people.ts'
import { isCurrency } from '../money/index.ts'
import { didYouMean } from '../use-cases/nearest.ts'
import { anyOption, checkOptions, optionGroup } from '../use-cases/option-faults.ts'
import type { CartOptions, CheckoutOptions } from './checkout.ts'
import type { OrderStatus } from './orders.ts'
import type { RunOptions } from './scenarios/run.ts'
import type { NewService } from './services.ts'
import type { PayAgain, WaitOptions } from './shop.ts'

const flag = z.boolean().optional()
const milliseconds = z.number().min(0).optional()

/** Lines and shops are checked where they are used. */
const cart = {
  lines: anyOption,
  currency: z.string().refine(isCurrency, 'must be a code such as eur').optional(),
  shop: anyOption,
} satisfies Record<keyof CartOptions, z.ZodType>

const checkoutOptions = optionGroup({
  ...cart,
  language: languageOption,
  customer: customerOption,
  address: addressOption,
  billing: addressOption,
  ownPayment: flag,
} satisfies Record<keyof CheckoutOptions, z.ZodType>)

const estimateOptions = optionGroup({
  address: destination,
  language: languageOption,
  options: optionGroup(cart).optional(),
})

const againOptions = optionGroup(choiceOptions satisfies Record<keyof PayAgain, z.ZodType>)
const waitOptions = optionGroup({ timeout: milliseconds } satisfies Record<keyof WaitOptions, z.ZodType>)

const runOptions = optionGroup({
  patience: milliseconds,
  choose: anyOption,
  methods: z.array(z.string()).optional(),
  ...{ country: countryOption, zipcode: textOption, currency: cart.currency },
} satisfies Record<keyof RunOptions, z.ZodType>)

/** The address is checked where it is used. */
const serviceOptions = optionGroup({
  type: z.enum(['shipment', 'payment'], 'must be shipment or payment'),
  name: z.string(),
  urlEndpoint: anyOption,
  isActive: flag,
  rateEstimate: flag,
  shop: z.int().optional(),
} satisfies Record<keyof NewService, z.ZodType>)

/** The options of a checkout, without undefined fields. Throws `ARGUMENT_INVALID` that names every fault. */
export function readCheckout(options: CheckoutOptions = {}): CheckoutOptions {
  checkOptions('checkout()', checkoutOptions, options)
  const { address, customer, billing } = options
  return {
    ...(given(options) as CheckoutOptions),
    ...inCurrency(options),
    ...(address && { address: inSmall(given(address)) }),
    ...(customer && { customer: given(customer) }),
    ...(billing && { billing: inSmall(given(billing)) }),
  }
}

/** The same of an estimate. */
export function readEstimate(address: Destination, language?: string, options: CartOptions = {}) {
  checkOptions('estimate()', estimateOptions, { address, language, options })
  return {
    address: inSmall(address),
    language,
    options: { ...(given(options) as CartOptions), ...inCurrency(options) },
  }
}

const inCurrency = ({ currency }: CartOptions) =>
  currency === undefined ? {} : { currency: currency.toLowerCase() }

export const checkAgain = (given: unknown): void => checkOptions('payAgain()', againOptions, given)
export const checkRun = (given: unknown): void => checkOptions('run()', runOptions, given)
export const checkService = (given: unknown): void => checkOptions('register()', serviceOptions, given)

const statuses: readonly OrderStatus[] = ['not_paid', ...paymentStatuses]

export function checkWait(status: unknown, options: unknown): void {
  if (!statuses.some((one) => one === status))
    throw wrongCall(
      `waitForStatus(): status "${String(status)}" is not known: ${didYouMean(String(status), statuses)}`,
    )
  checkOptions('waitForStatus()', waitOptions, options)
}
