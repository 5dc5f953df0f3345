import type { Attempt, Payment } from '../../payments/payment.ts'
import type { AnyPaymentAdapter } from '../../use-cases/workings.ts'
import type { ShownBrand } from './brands.ts'
import type { PageLanguage } from './texts.ts'

/** A visit of the page of an attempt. */
export interface Visit {
  attempt: Attempt
  payment: Payment
  /** Not set where the provider no longer has it. */
  adapter: AnyPaymentAdapter | undefined
  language: PageLanguage
  brand: ShownBrand
  /** The name of the shop in sentences: that of its own brand, otherwise its host. */
  shop: string
  /** The address of the page, without a slash at the end. */
  address: string
}
