import { setTimeout } from 'node:timers/promises'
import { jsonIn } from '../../contract/texts.ts'
import { faults, isWord, type Started } from '../answers.ts'
import { casesOf } from '../case.ts'
import { NotMet, shown } from '../exchange.ts'
import { type ReceivedCall, webhookPathOf } from '../receiver.ts'
import type { Target } from '../target.ts'

const shared = { topic: 'webhook', about: 'payments', section: 'spec 4.3', writes: true } as const
const waitsFor = [faults.noWebhook, faults.notPaid]
const patience = 6_000

async function startedWithWebhook(target: Target): Promise<Started> {
  target.mustReceive()
  return target.started()
}

/** Checks the webhook of a paid payment whose customer does not return. */
const ofWebhook = (check: (call: ReceivedCall, started: Started) => void) => async (target: Target) => {
  const started = await startedWithWebhook(target)
  await target.choose(started, 'paid')
  const [call] = await target.receiver.wait(started.orderId, 1, patience)
  if (!call) throw await noCall(target, started, `a call of webhook_url within ${patience / 1000} s`)
  check(call, started)
}

/** A payment that did not end needs no webhook: that is another fault. */
async function noCall(target: Target, { orderId, exchange }: Started, expected: string): Promise<NotMet> {
  const isPaid = (await target.statusOf(orderId)) === 'paid'
  return new NotMet(expected, 'no call', exchange, isPaid ? faults.noWebhook : faults.notPaid)
}

const noAnswer = 'no answer'

const table = `
webhook-called | must | The shop gets the webhook of a payment whose customer does not return
  | The order stays unpaid until a person checks it.
  | Call webhook_url when a payment leaves pending, whether or not the customer comes back. A report by PUT on the order reaches only some shops.
webhook-address-kept | must | webhook_url is called as it was given
  | The shop cannot find the order, and answers 404. | Keep webhook_url byte for byte, its query too.
webhook-body | should | The body of a webhook is JSON, or empty
  | The contract names no body; some platforms refuse other bodies than JSON. | Send {"order_id": 123} as application/json.
webhook-not-at-start | should | Starting a payment calls no webhook
  | The platform asks for a status that it knows, before the customer has seen the page. | Call webhook_url only when the status has changed.
webhook-status-inside | must | The status can be read while the webhook is still open
  | The platform reads the status before it answers: both sides wait until one gives up.
  | Hold no lock and no transaction while webhook_url is called.
webhook-repeated | should | A webhook that was refused is sent again
  | A shop that was briefly busy never learns of the payment.
  | Repeat the call for hours, with growing pauses, until it is answered with 2xx. The first repeat comes within ten seconds.
`

export const webhookCases = casesOf({ ...shared, waitsFor }, table, {
  'webhook-called': ofWebhook(() => {}),
  'webhook-address-kept': ofWebhook(({ path }, { message, exchange }) => {
    const { pathname, search } = new URL(message.webhook_url)
    exchange.must(path === pathname + search, pathname + search, path)
  }),
  'webhook-body': ofWebhook(({ body }, { exchange }) => {
    const sound = body === '' || (/^\s*\{/.test(body) && jsonIn(body) !== undefined)
    exchange.must(sound, 'JSON or nothing', shown(body))
  }),
  'webhook-not-at-start': {
    waitsFor: [],
    async run(target) {
      const { orderId, exchange } = await startedWithWebhook(target)
      const calls = await target.receiver.wait(orderId, 1, 300)
      exchange.must(calls.length === 0, 'no call', `${calls.length}`)
    },
  },
  async 'webhook-status-inside'(target) {
    const started = await startedWithWebhook(target)
    const { orderId, exchange } = started
    let status: string | undefined
    const asked = Promise.withResolvers<void>()
    target.receiver.answers.set(webhookPathOf(orderId), async () => {
      status = await target.statusOf(orderId).catch(() => noAnswer)
      // It may still turn paid, unless the provider has a word of its own.
      if (status === 'paid' || !(isWord(status) || status === noAnswer)) asked.resolve()
      return 200
    })
    await target.choose(started, 'paid')
    await Promise.race([asked.promise, setTimeout(patience)])
    if (status === undefined) throw await noCall(target, started, 'a status within the webhook')
    exchange.must(status === 'paid', 'paid', status, isWord(status) ? undefined : faults.statusWord)
  },
  async 'webhook-repeated'(target) {
    let times = 0
    const started = await startedWithWebhook(target)
    const { orderId } = started
    target.receiver.answers.set(webhookPathOf(orderId), () => (times++ === 0 ? 500 : 200))
    await target.choose(started, 'paid')
    const calls = await target.receiver.wait(orderId, 2, 10_000)
    if (calls.length === 0) throw await noCall(target, started, 'a second call within 10 s')
    started.exchange.must(calls.length >= 2, 'a second call within 10 s', `${calls.length}`)
  },
})
