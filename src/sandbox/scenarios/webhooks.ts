import type { SwitchValues } from '../switches.ts'
import { isPaid, orderThen, type Step, scenario, scenariosOf } from './scenario.ts'

/** A payment that takes time is paid within five minutes, in a shop with these switches. */
const paidLater = (switches: Partial<SwitchValues>): Step[] => [
  { switch: switches },
  ...orderThen('pending'),
  { move: '5m' },
]

/** Webhooks that are refused, late, doubled and lost. */
export const webhooks = scenariosOf(['payments'], {
  'webhook-refused': scenario('The shop refuses the webhook at first, and accepts it ten minutes later', [
    ...paidLater({ webhook: 'refused' }),
    { expect: { order: 'pending', provider: 'paid', webhooks: 1 } },
    { switch: { webhook: 'accepted' } },
    { move: '10m' },
    { expect: { order: 'paid', provider: 'paid', webhooks: 2 } },
  ]),
  'webhook-down-for-a-day': scenario('The shop accepts no webhook for a day', [
    ...paidLater({ webhook: 'refused' }),
    { expect: { webhooks: 1 } },
    { move: '1d' },
    { expect: { order: 'pending', provider: 'paid', webhooks: 2 } },
    { switch: { webhook: 'accepted' } },
    { move: '1d' },
    { expect: { order: 'paid', provider: 'paid', webhooks: 3 } },
  ]),
  'webhook-limited': scenario('The shop answers the webhook with 429 and Retry-After', [
    ...paidLater({ webhook: 'limited' }),
    { expect: { order: 'pending', provider: 'paid', webhooks: 1 } },
    { switch: { webhook: 'accepted' } },
    { move: '20m' },
    { expect: { order: 'paid', provider: 'paid', webhooks: 2 } },
  ]),
  'webhook-late': scenario('The shop takes ten seconds to answer the webhook', [
    ...paidLater({ webhook: 'late' }),
    { expect: { order: 'pending', provider: 'paid', webhooksWaiting: 1 } },
    { move: '10s' },
    { expect: { order: 'paid', provider: 'paid', webhooks: 1 } },
  ]),
  'status-inside-webhook': scenario('The shop asks for the status before it has answered the webhook', [
    ...paidLater({ statusAfterWebhook: 'inside' }),
    { expect: { order: 'paid', provider: 'paid', webhooks: 1 } },
  ]),
  'status-twice': scenario('The shop asks for the status twice after the webhook', [
    ...paidLater({ statusAfterWebhook: 'twice' }),
    { expect: { order: 'paid', provider: 'paid', webhooks: 1 } },
  ]),
  'status-answer-lost': scenario('The answer with the status is lost when the customer returns', [
    { order: {} },
    { choose: 'paid' },
    { switch: { answers: 'dropNext' } },
    { customer: 'returns' },
    { switch: { answers: 'arrive' } },
    { customer: 'returns' },
    isPaid,
  ]),
})
