import { type PaymentStartRequest, paymentStartReader, readMessage } from '../src/contract/index.ts'
import type { Workings } from '../src/parts.ts'
import { startPayment } from '../src/payments/start-payment.ts'
import { newShop, type Shop } from '../src/shops/shop.ts'

const reader = paymentStartReader()
const shopOfTests = { ...newShop('default'), language: 'nl' }

/** Starts a payment by a platform's message: of the shop `default`, unless another one is given. */
export const startBy = (workings: Workings, message: unknown, shop: Shop = shopOfTests) =>
  startPayment(workings, shop, readMessage(reader, message) as PaymentStartRequest)
