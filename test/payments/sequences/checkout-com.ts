import { type Sequence, type Source, sequence } from './sequence.ts'

const events: Source = [
  'Event types',
  'https://www.checkout.com/docs/reporting-and-insights/events-api/event-types',
]

/** Checkout.com: each action of a payment has an id, and each dispute. */
export const checkoutCom: Sequence[] = [
  sequence('card with 3-D Secure', events, '65.40 gbp', {
    steps: [
      ['1m', 'payment_pending', 'open'],
      ['2m', 'payment_approved', 'authorised 65.40 #act_1'],
      ['3m', 'payment_captured', 'paid 65.40 #act_2'],
    ],
    expected: 'paid received=65.40 net=65.40 webhooks=paid',
  }),
  sequence('declined, and paid at the second start', events, '65.40 gbp', {
    steps: [
      ['2m', 'payment_declined', 'failed', { detail: '20051' }],
      ['4m', {}],
      ['6m', 'payment_captured', 'paid 65.40 #act_2', { attempt: 2 }],
    ],
    expected: 'paid received=65.40 net=65.40 webhooks=cancelled,paid',
  }),
  sequence('authorised and voided', events, '65.40 gbp', {
    steps: [
      ['2m', 'payment_approved', 'authorised 65.40 #act_1'],
      ['2d', 'payment_voided', 'cancelled'],
    ],
    expected: 'cancelled webhooks=cancelled',
  }),
  sequence('a capture is declined, the next one succeeds', events, '65.40 gbp', {
    steps: [
      ['2m', 'payment_approved', 'authorised 65.40 #act_1'],
      ['1d', 'payment_capture_declined', 'pending'],
      ['2d', 'payment_captured', 'paid 65.40 #act_3'],
    ],
    expected: 'paid received=65.40 net=65.40 webhooks=paid',
  }),
  sequence('one refund succeeds, another is declined', events, '65.40 gbp', {
    steps: [
      ['3m', 'payment_captured', 'paid 65.40 #act_2'],
      ['4d', 'payment_refunded', 'refunded 20.00 #act_4'],
      ['5d', 'payment_refund_declined', 'refund_failed 15.40 #act_5'],
    ],
    expected: 'paid received=65.40 refunded=20.00 net=45.40 webhooks=paid',
  }),
  sequence('dispute won', events, '65.40 gbp', {
    steps: [
      ['3m', 'payment_captured', 'paid 65.40 #act_2'],
      ['12d', 'dispute_evidence_required', 'charged_back 65.40 #dsp_1'],
      ['50d', 'dispute_won', 'chargeback_won 65.40 #dsp_1'],
    ],
    expected: 'paid received=65.40 chargedBack=65.40 chargebackWon=65.40 net=65.40 webhooks=paid',
    anomalies: [['charged_back', 'charged_back #dsp_1', '65.40']],
  }),
  sequence('dispute lost because nobody answered', events, '65.40 gbp', {
    steps: [
      ['3m', 'payment_captured', 'paid 65.40 #act_2'],
      ['12d', 'dispute_evidence_required', 'charged_back 30.00 #dsp_1'],
      ['30d', 'dispute_expired', 'charged_back 30.00 #dsp_1'],
      ['31d', 'dispute_lost', 'charged_back 30.00 #dsp_1'],
    ],
    expected: 'paid received=65.40 chargedBack=30.00 net=35.40 webhooks=paid',
    anomalies: [['charged_back', 'charged_back #dsp_1', '30.00']],
  }),
  sequence(
    'a dispute of a payment that was refunded: resolved by the service a day later',
    events,
    '65.40 gbp',
    {
      steps: [
        ['3m', 'payment_captured', 'paid 65.40 #act_2'],
        ['4d', 'payment_refunded', 'refunded 65.40 #act_4'],
        ['12d', 'dispute_evidence_required', 'charged_back 65.40 #dsp_1'],
        ['13d', 'dispute_resolved', 'chargeback_won 65.40 #dsp_1'],
      ],
      expected:
        'paid received=65.40 refunded=65.40 chargedBack=65.40 chargebackWon=65.40 net=0.00 webhooks=paid',
      anomalies: [
        ['charged_back', 'charged_back #dsp_1', '65.40'],
        ['over_refunded', 'returned 130.80 gbp live', '65.40'],
      ],
    },
  ),
]
