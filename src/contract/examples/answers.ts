import type { z } from 'zod'
import type { paymentStartAnswer, paymentStatusAnswer } from '../payment.ts'
import type { paymentMethodsAnswer } from '../payment-methods.ts'
import { Problem } from '../problem.ts'
import type { shipmentMethodsAnswer } from '../shipment-methods.ts'
import type { webhookBody } from '../webhook.ts'

// One example of each message that a provider sends.

export const shipmentMethodsExample = {
  shipment_methods: [
    {
      id: 'door',
      title: 'At your door',
      description: 'Delivered the next working day',
      price_incl: 7.01,
      price_excl: 5.79,
      tax_rate: 0.21,
      is_pickup: false,
      is_servicepoint: false,
      is_cash_on_delivery: false,
    },
  ],
} satisfies z.input<typeof shipmentMethodsAnswer>

export const paymentMethodsExample = {
  payment_methods: [
    {
      id: 'card',
      title: 'Card',
      price_incl: 0,
      price_excl: 0,
      tax_rate: 0,
      icon: 'pin',
      post_payment: false,
      invoice_external: false,
      data: { route: 'card-eu' },
    },
  ],
} satisfies z.input<typeof paymentMethodsAnswer>

export const paymentStartAnswerExample = {
  payment_url: 'https://pay.example.com/p/3q2T8xY0bNw5rKdV',
} satisfies z.input<typeof paymentStartAnswer>

export const paymentStatusExample = { status: 'pending' } satisfies z.input<typeof paymentStatusAnswer>
export const webhookExample = { order_id: 1001 } satisfies z.input<typeof webhookBody>

export const problemExample = {
  ...new Problem('BODY_INVALID', {
    faults: [{ path: 'quote.products[2].price_incl', message: 'must be a decimal number' }],
  }).toJSON(),
  request_id: 'Yx2k9QmZ',
}
