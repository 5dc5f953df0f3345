import { capitalised } from '../../printable.ts'
import { withoutSlash } from '../../shops/shop.ts'
import type { PushRecord } from '../../store-port.ts'
import { allShops } from '../../use-cases/lanes.ts'
import { contentsOf } from '../provider/store.ts'
import { standstill } from '../serve/nodes.ts'
import { onStore } from '../table.ts'
import { print, table, time } from '../terminal/print.ts'
import { UsageError } from '../terminal/usage.ts'
import { shortKey } from '../webhooks/pushes.ts'

const requestIds =
  'Request ids are not stored: the line `answered` in the log has the shop and the order of a request.'

function pushLine({ key, shopId, adapter, receivedAt, ...push }: PushRecord, text: string): string {
  const next = `Next: purveyor pushes show ${shortKey(key)}`
  const at = time(receivedAt)
  if (push.names.includes(text.trim()))
    return `A push of ${adapter} to shop ${shopId} named it at ${at} and matched no payment. ${next}`
  const detail = push.detail === undefined ? '' : ` (${push.detail})`
  return `The push of ${adapter} to shop ${shopId} at ${at} is ${push.outcome}${detail}. ${next}`
}

export const find = onStore({
  description: 'find payments of all shops, with what each waits for and the next step',
  examples: ['purveyor payments find ORD1042'],
  arguments: {
    '<name>':
      'order id or number, attempt id, reference, event (transfer, refund or dispute), idempotency key, page address, or the id of an anomaly, webhook or push. A request id is not stored: its log line `answered` has the order',
  },
  async run({ name, json }, store, now) {
    if (name.trim() === '') throw new UsageError('Name an id of the payment, such as the id of its order.')
    const { ContentSeal } = await import('../../payments/page-tokens.ts')
    const { outageWords } = await import('../../use-cases/payments/service-failures.ts')
    const { findPayments } = await import('../../use-cases/payments/find-payments.ts')
    const { PURVEYOR_PUBLIC_URL = '', PORT } = process.env
    const publicUrl = withoutSlash(PURVEYOR_PUBLIC_URL) || `http://127.0.0.1:${PORT || '3000'}`
    // With another secret its pushes are not looked through.
    const contents = await contentsOf(store).catch(() => new ContentSeal())
    const found = await findPayments(store, name, { publicUrl, now, contents })
    const { payments, pushes, failing } = found
    const isOther = pushes.length > 0 || failing !== undefined
    if (payments.length === 0 && !isOther) process.exitCode = 1
    const none = name.startsWith('msg_')
      ? `No webhook has this id, of the 100,000 payments that changed last, as sent from ${publicUrl} (PURVEYOR_PUBLIC_URL).`
      : `No payment has this id: no order, attempt, reference, event, idempotency key, page, anomaly, webhook or push. ${requestIds}`
    const listed = () =>
      table(payments, none, {
        ...{ shop: 'shop', order: 'order', 'found by': 'by', status: 'status', 'waits for': 'waitsFor' },
      })
    // A person can act, also where no provider runs.
    const waits = payments.some(({ waitsFor }) => !/^(?:nothing|a person)/.test(waitsFor))
    const still = waits ? await standstill(store) : []

    print(json, found, () => [
      ...(payments.length === 0 && isOther ? [] : listed()),
      found.more > 0 && `${found.more} more have this id.`,
      ...payments.map(({ next }) => `Next: ${next}`),
      ...pushes.map((push) => pushLine(push, name)),
      ...still,
      failing && `${capitalised(outageWords(failing))}.`,
      failing && `Next: purveyor lanes show starts ${allShops} ${failing.adapter}`,
    ])
  },
})
