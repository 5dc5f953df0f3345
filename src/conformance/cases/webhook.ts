import type { ConformanceCase } from '../case.ts'
import { expectThat, NotMet, shown } from '../expect.ts'
import type { ReceivedCall } from '../receiver.ts'
import type { Started, Target } from '../target.ts'

const common = { topic: 'webhook', about: 'payments', section: 'spec 4.3', writes: true } as const
const patience = 6_000

/** Waits for the webhooks of a paid payment whose customer does not return. */
async function paidWithWebhooks(
  target: Target,
  count = 1,
): Promise<{ started: Started; calls: ReceivedCall[] }> {
  target.mustReceive()
  const started = await target.started()
  await target.choose(started, 'paid')
  const calls = await target.receiver.wait(started.webhookPath, count, patience)
  if (calls.length < count) {
    const expected = count === 1 ? 'a call of webhook_url' : `${count} calls of webhook_url`
    throw new NotMet(`${expected} within ${patience / 1000} s`, `${calls.length}`, started.exchange)
  }
  return { started, calls }
}

/** The call of webhook_url (spec 4.3 return flow); the checker receives it. */
export const webhookCases: ConformanceCase[] = [
  {
    ...common,
    name: 'webhook-called',
    title: 'The shop gets the webhook of a payment whose customer does not return',
    level: 'must',
    platform: 'The order stays unpaid until a person checks it.',
    remedy: 'Call webhook_url when a payment leaves pending, whether or not the customer comes back.',
    async run(target) {
      await paidWithWebhooks(target)
    },
  },
  {
    ...common,
    name: 'webhook-address-kept',
    title: 'webhook_url is called as it was given',
    level: 'must',
    platform: 'The shop cannot find the order, and answers 404.',
    remedy: 'Keep webhook_url byte for byte, its query too.',
    async run(target) {
      const { started, calls } = await paidWithWebhooks(target)
      const { pathname, search } = new URL(started.webhookUrl)
      expectThat(calls[0]!.path === pathname + search, pathname + search, calls[0]!.path, started.exchange)
    },
  },
  {
    ...common,
    name: 'webhook-method',
    title: 'webhook_url is called with POST',
    level: 'note',
    platform: 'The contract names no method; every platform accepts POST.',
    remedy: 'Use POST.',
    async run(target) {
      const { started, calls } = await paidWithWebhooks(target)
      expectThat(calls[0]!.method === 'POST', 'POST', calls[0]!.method, started.exchange)
    },
  },
  {
    ...common,
    name: 'webhook-body',
    title: 'The body of a webhook is JSON, or empty',
    level: 'note',
    platform: 'The contract names no body; some platforms refuse other bodies than JSON.',
    remedy: 'Send {"order_id": 123} as application/json.',
    async run(target) {
      const { started, calls } = await paidWithWebhooks(target)
      const { body } = calls[0]!
      const sound = body === '' || (/^\s*\{/.test(body) && isJson(body))
      expectThat(sound, 'JSON or nothing', shown(body), started.exchange)
    },
  },
  {
    ...common,
    name: 'webhook-not-at-start',
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
  {
    ...common,
    name: 'webhook-status-inside',
    title: 'The status can be read while the webhook is still open',
    level: 'must',
    platform: 'It reads the status before it answers, and both sides wait for each other until one gives up.',
    remedy: 'Hold no lock and no transaction while webhook_url is called.',
    async run(target) {
      target.mustReceive()
      const started = await target.started()
      let status: string | undefined
      const asked = new Promise<void>((resolve) => {
        target.receiver.answer(started.webhookPath, async () => {
          status ??= await target.statusOf(started.orderId).catch(() => 'no answer')
          resolve()
          return 200
        })
      })
      await target.choose(started, 'paid')
      await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, patience))])
      expectThat(status === 'paid', 'paid', status ?? 'no webhook', started.exchange)
    },
  },
  {
    ...common,
    name: 'webhook-repeated',
    title: 'A webhook that was refused is sent again',
    level: 'should',
    platform: 'A shop that was briefly busy never learns of the payment.',
    remedy:
      'Repeat the call for hours, with growing pauses, until it is answered with 2xx. The first repeat comes within ten seconds.',
    async run(target) {
      target.mustReceive()
      const started = await target.started()
      let times = 0
      target.receiver.answer(started.webhookPath, () => (times++ === 0 ? 500 : 200))
      await target.choose(started, 'paid')
      const calls = await target.receiver.wait(started.webhookPath, 2, 10_000)
      expectThat(calls.length >= 2, 'a second call within 10 s', `${calls.length}`, started.exchange)
    },
  },
]

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
