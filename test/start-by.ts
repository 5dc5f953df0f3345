import { type PaymentStartRequest, paymentStartReader, readMessage } from '../src/contract/index.ts'
import { newShop, type Shop } from '../src/shops/shop.ts'
import type { Workings } from '../src/use-cases/parts.ts'
import { startPayment } from '../src/use-cases/payments/start-payment.ts'

const reader = paymentStartReader()
const shopOfTests = { ...newShop('default'), language: 'nl' }

/** Starts a payment by a platform's message: of the shop `default`, unless another one is given. */
export const startBy = (workings: Workings, message: unknown, shop: Shop = shopOfTests) =>
  startPayment(workings, shop, readMessage(reader, message) as PaymentStartRequest)
