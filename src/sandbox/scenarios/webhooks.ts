import { orderThen, type Scenario } from './scenario.ts'

/** Webhooks that are refused, late, doubled and lost. */
export const webhooks: Scenario[] = [
  {
    name: 'webhook-refused',
    title: 'The shop refuses the webhook at first, and accepts it ten minutes later',
    needs: ['payment'],
    steps: [
      { switch: { webhook: 'refused' } },
      ...orderThen('pending'),
      { move: '5m' },
      { expect: { order: 'pending', provider: 'paid', webhooks: 1 } },
      { switch: { webhook: 'accepted' } },
      { move: '10m' },
      { expect: { order: 'paid', provider: 'paid', webhooks: 2 } },
    ],
  },
  {
    name: 'webhook-down-for-a-day',
    title: 'The shop accepts no webhook for a day',
    needs: ['payment'],
    steps: [
      { switch: { webhook: 'refused' } },
      ...orderThen('pending'),
      { move: '5m' },
      { expect: { webhooks: 1 } },
      { move: '1d' },
      { expect: { order: 'pending', provider: 'paid', webhooks: 2 } },
      { switch: { webhook: 'accepted' } },
      { move: '1d' },
      { expect: { order: 'paid', provider: 'paid', webhooks: 3 } },
    ],
  },
  {
    name: 'webhook-limited',
    title: 'The shop answers the webhook with 429 and Retry-After',
    needs: ['payment'],
    steps: [
      { switch: { webhook: 'limited' } },
      ...orderThen('pending'),
      { move: '5m' },
      { expect: { order: 'pending', provider: 'paid', webhooks: 1 } },
      { switch: { webhook: 'accepted' } },
      { move: '20m' },
      { expect: { order: 'paid', provider: 'paid', webhooks: 2 } },
    ],
  },
  {
    name: 'webhook-late',
    title: 'The shop takes ten seconds to answer the webhook',
    needs: ['payment'],
    steps: [
      { switch: { webhook: 'late' } },
      ...orderThen('pending'),
      { move: '5m' },
      { expect: { order: 'pending', provider: 'paid', webhooksWaiting: 1 } },
      { move: '10s' },
      { expect: { order: 'paid', provider: 'paid', webhooks: 1 } },
    ],
  },
  {
    name: 'status-inside-webhook',
    title: 'The shop asks for the status before it has answered the webhook',
    needs: ['payment'],
    steps: [
      { switch: { statusAfterWebhook: 'inside' } },
      ...orderThen('pending'),
      { move: '5m' },
      { expect: { order: 'paid', provider: 'paid', webhooks: 1 } },
    ],
  },
  {
    name: 'status-twice',
    title: 'The shop asks for the status twice after the webhook',
    needs: ['payment'],
    steps: [
      { switch: { statusAfterWebhook: 'twice' } },
      ...orderThen('pending'),
      { move: '5m' },
      { expect: { order: 'paid', provider: 'paid', webhooks: 1 } },
    ],
  },
  {
    name: 'status-answer-lost',
    title: 'The answer with the status is lost when the customer returns',
    needs: ['payment'],
    steps: [
      { order: {} },
      { choose: 'paid' },
      { switch: { answers: 'dropNext' } },
      { customer: 'returns' },
      { switch: { answers: 'arrive' } },
      { customer: 'returns' },
      { expect: { order: 'paid', provider: 'paid' } },
    ],
  },
]
