import { jsonIn } from '../../contract/texts.ts'
import { casesOf } from '../case.ts'
import { expectThat, NotMet, shown } from '../exchange.ts'
import type { ReceivedCall } from '../receiver.ts'
import { faults, isWord, type Started, type Target } from '../target.ts'

const shared = { topic: 'webhook', about: 'payments', section: 'spec 4.3', writes: true } as const
const patience = 6_000

/** Waits for the webhook of a paid payment whose customer does not return. */
async function paidWithWebhook(target: Target): Promise<{ started: Started; call: ReceivedCall }> {
  target.mustReceive()
  return withWebhook(target, async () => {
    const started = await target.started()
    await target.choose(started, 'paid')
    const [call] = await target.receiver.wait(started.webhookPath, 1, patience)
    if (!call) throw await noCall(target, started, `a call of webhook_url within ${patience / 1000} s`)
    return { started, call }
  })
}

/** A webhook that did not come once is not waited for again. */
const withWebhook = <T>(target: Target, check: () => Promise<T>): Promise<T> =>
  target.patiently(faults.noWebhook, () => target.patiently(faults.notPaid, check))

/** A payment that did not end needs no webhook: that is another fault. */
async function noCall(target: Target, { orderId, exchange }: Started, expected: string): Promise<NotMet> {
  const isPaid = (await target.statusOf(orderId)) === 'paid'
  return new NotMet(expected, 'no call', exchange, isPaid ? faults.noWebhook : faults.notPaid)
}

const noAnswer = 'no answer'

/** The call of webhook_url (spec 4.3 return flow); the checker receives it. */
export const webhookCases = casesOf(shared, {
  'webhook-called': {
    title: 'The shop gets the webhook of a payment whose customer does not return',
    platform: 'The order stays unpaid until a person checks it.',
    remedy:
      'Call webhook_url when a payment leaves pending, whether or not the customer comes back. A report by PUT on the order reaches only some shops.',
    async run(target) {
      await paidWithWebhook(target)
    },
  },
  'webhook-address-kept': {
    title: 'webhook_url is called as it was given',
    platform: 'The shop cannot find the order, and answers 404.',
    remedy: 'Keep webhook_url byte for byte, its query too.',
    async run(target) {
      const { started, call } = await paidWithWebhook(target)
      const { pathname, search } = new URL(started.webhookUrl)
      expectThat(call.path === pathname + search, pathname + search, call.path, started.exchange)
    },
  },
  'webhook-method': {
    title: 'webhook_url is called with POST',
    level: 'note',
    platform: 'The contract names no method; every platform accepts POST.',
    remedy: 'Use POST.',
    async run(target) {
      const { started, call } = await paidWithWebhook(target)
      expectThat(call.method === 'POST', 'POST', call.method, started.exchange)
    },
  },
  'webhook-body': {
    title: 'The body of a webhook is JSON, or empty',
    level: 'note',
    platform: 'The contract names no body; some platforms refuse other bodies than JSON.',
    remedy: 'Send {"order_id": 123} as application/json.',
    async run(target) {
      const { started, call } = await paidWithWebhook(target)
      const { body } = call
      const sound = body === '' || (/^\s*\{/.test(body) && jsonIn(body) !== undefined)
      expectThat(sound, 'JSON or nothing', shown(body), started.exchange)
    },
  },
  'webhook-not-at-start': {
    title: 'Starting a payment calls no webhook',
    level: 'should',
    platform: 'It asks for a known status, before the customer has even seen the page.',
    remedy: 'Call webhook_url only when the status has changed.',
    async run(target) {
      target.mustReceive()
      const { webhookPath, exchange } = await target.started()
      const calls = await target.receiver.wait(webhookPath, 1, 300)
      expectThat(calls.length === 0, 'no call', `${calls.length}`, exchange)
    },
  },
  'webhook-status-inside': {
    title: 'The status can be read while the webhook is still open',
    platform: 'It reads the status before it answers, and both sides wait for each other until one gives up.',
    remedy: 'Hold no lock and no transaction while webhook_url is called.',
    async run(target) {
      target.mustReceive()
      await withWebhook(target, async () => {
        const started = await target.started()
        let status: string | undefined
        const asked = new Promise<void>((resolve) => {
          target.receiver.answer(started.webhookPath, async () => {
            status = await target.statusOf(started.orderId).catch(() => noAnswer)
            // It may still turn paid, unless the provider has a word of its own.
            if (status === 'paid' || !(isWord(status) || status === noAnswer)) resolve()
            return 200
          })
        })
        await target.choose(started, 'paid')
        await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, patience))])
        if (status === undefined) throw await noCall(target, started, 'a status within the webhook')
        const fault = isWord(status) ? undefined : faults.statusWord
        expectThat(status === 'paid', 'paid', status, started.exchange, fault)
      })
    },
  },
  'webhook-repeated': {
    title: 'A webhook that was refused is sent again',
    level: 'should',
    platform: 'A shop that was briefly busy never learns of the payment.',
    remedy:
      'Repeat the call for hours, with growing pauses, until it is answered with 2xx. The first repeat comes within ten seconds.',
    async run(target) {
      target.mustReceive()
      await withWebhook(target, async () => {
        const started = await target.started()
        let times = 0
        target.receiver.answer(started.webhookPath, () => (times++ === 0 ? 500 : 200))
        await target.choose(started, 'paid')
        const calls = await target.receiver.wait(started.webhookPath, 2, 10_000)
        if (calls.length === 0) throw await noCall(target, started, 'a second call within 10 s')
        expectThat(calls.length >= 2, 'a second call within 10 s', `${calls.length}`, started.exchange)
      })
    },
  },
})
