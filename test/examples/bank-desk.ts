import { BankService } from '../../examples/payment-bank-choice/bank-service.ts'
import { checkout, payment } from '../http/messages.ts'
import { page } from '../http/pages/provider.ts'
import { paymentUrl, statusOf } from '../http/post.ts'
import { listening } from '../listening.ts'
import { serveOrigin } from '../serve-origin.ts'

/** It ends with the process: other files of tests use it too. */
export const service = await new BankService().listen()
process.env.BANK_SERVICE_URL = service.url
// They read the address when they are loaded.
const { bankChoice } = await import('../../examples/payment-bank-choice/provider.ts')

const { sign } = await import('../../examples/payment-bank-choice/service.ts')

export { bankChoice, sign }

/** An order of 29.34 eur that is to be paid at a bank, with the shop that the customer returns to. */
export async function openOrder({ language }: { language?: string } = {}) {
  const { provider, endpoint } = await listening({ payments: bankChoice })
  const shop = await serveOrigin((_req, res) => page(res, '<h1>Thank you</h1>'))
  const order = payment({ id: 1001, method: 'banks:bank' })
  const named = language && { shop: { ...checkout.shop, language } }
  const url = await paymentUrl(endpoint, { ...order, redirect_url: `${shop}/back`, ...(named || {}) })
  const [attempt] = (await provider.payments.get({ orderId: '1001' }))!.attempts
  const { reference } = attempt!
  const status = () => statusOf(endpoint)
  const charges = () => service.ledger.filter((one) => one.payment === reference).map(({ bank }) => bank)
  return { provider, endpoint, url, shop, reference: reference!, status, charges }
}
