import type { SwitchValues } from '../switches.ts'
import { isPaid, orderThen, type Step, scenariosOf } from './scenario.ts'

/** A payment that takes time is paid within five minutes, in a shop with these switches. */
const paidLater = (switches: Partial<SwitchValues>): Step[] => [
  { switch: switches },
  ...orderThen('pending'),
  { move: '5m' },
]

/** Webhooks that are refused, late, doubled and lost. */
export const webhooks = scenariosOf(['payments'], {
  'webhook-refused': {
    title: 'The shop refuses the webhook at first, and accepts it ten minutes later',
    steps: [
      ...paidLater({ webhook: 'refused' }),
      { expect: { order: 'pending', provider: 'paid', webhooks: 1 } },
      { switch: { webhook: 'accepted' } },
      { move: '10m' },
      { expect: { order: 'paid', provider: 'paid', webhooks: 2 } },
    ],
  },
  'webhook-down-for-a-day': {
    title: 'The shop accepts no webhook for a day',
    steps: [
      ...paidLater({ webhook: 'refused' }),
      { expect: { webhooks: 1 } },
      { move: '1d' },
      { expect: { order: 'pending', provider: 'paid', webhooks: 2 } },
      { switch: { webhook: 'accepted' } },
      { move: '1d' },
      { expect: { order: 'paid', provider: 'paid', webhooks: 3 } },
    ],
  },
  'webhook-limited': {
    title: 'The shop answers the webhook with 429 and Retry-After',
    steps: [
      ...paidLater({ webhook: 'limited' }),
      { expect: { order: 'pending', provider: 'paid', webhooks: 1 } },
      { switch: { webhook: 'accepted' } },
      { move: '20m' },
      { expect: { order: 'paid', provider: 'paid', webhooks: 2 } },
    ],
  },
  'webhook-late': {
    title: 'The shop takes ten seconds to answer the webhook',
    steps: [
      ...paidLater({ webhook: 'late' }),
      { expect: { order: 'pending', provider: 'paid', webhooksWaiting: 1 } },
      { move: '10s' },
      { expect: { order: 'paid', provider: 'paid', webhooks: 1 } },
    ],
  },
  'status-inside-webhook': {
    title: 'The shop asks for the status before it has answered the webhook',
    steps: [
      ...paidLater({ statusAfterWebhook: 'inside' }),
      { expect: { order: 'paid', provider: 'paid', webhooks: 1 } },
    ],
  },
  'status-twice': {
    title: 'The shop asks for the status twice after the webhook',
    steps: [
      ...paidLater({ statusAfterWebhook: 'twice' }),
      { expect: { order: 'paid', provider: 'paid', webhooks: 1 } },
    ],
  },
  'status-answer-lost': {
    title: 'The answer with the status is lost when the customer returns',
    steps: [
      { order: {} },
      { choose: 'paid' },
      { switch: { answers: 'dropNext' } },
      { customer: 'returns' },
      { switch: { answers: 'arrive' } },
      { customer: 'returns' },
      isPaid,
    ],
  },
})
