import { ContentSeal } from '../../payments/content-seal.ts'
import { withoutSlash } from '../../shops/hosts.ts'
import type { PushRecord } from '../../store.ts'
import { allShops } from '../../use-cases/lane-view.ts'
import { outageWords, type ServiceOutage } from '../../use-cases/payments/failing-services.ts'
import { findPayments } from '../../use-cases/payments/find-payments.ts'
import { standstill } from '../nodes/nodes.ts'
import { shortKey } from '../pushes.ts'
import { contentsOf, storeTime, withStore } from '../store.ts'
import { print, table, time } from '../terminal/print.ts'
import { UsageError } from '../usage.ts'

const longest = 2_048
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

function failingLines(outage: ServiceOutage): string[] {
  const words = outageWords(outage)
  const next = `purveyor lanes show starts ${allShops} ${outage.adapter}`
  return [`${words.charAt(0).toUpperCase()}${words.slice(1)}.`, `Next: ${next}`]
}

/** Finds payments of all shops by any of their ids. */
export function find(text: string, { json }: { json?: boolean }): Promise<void> {
  if (text.trim() === '') throw new UsageError('Name an id of the payment, such as the id of its order.')
  if (text.length > longest) throw new UsageError(`No id of a payment is longer than ${longest} characters.`)
  return withStore(async (store) => {
    const { env } = process
    const publicUrl = withoutSlash(env.PURVEYOR_PUBLIC_URL ?? '') || `http://127.0.0.1:${env.PORT || '3000'}`
    // With another secret its pushes are not looked through.
    const contents = await contentsOf(store).catch(() => new ContentSeal())
    const found = await findPayments(store, text, { publicUrl, now: storeTime(store), contents })
    if (found.payments.length + found.pushes.length === 0 && !found.failing) process.exitCode = 1
    const none = text.startsWith('msg_')
      ? `No webhook has this id, of the 100,000 payments that changed last, as sent from ${publicUrl} (PURVEYOR_PUBLIC_URL).`
      : `No payment has this id: no order, attempt, reference, event, idempotency key, page, anomaly, webhook or push. ${requestIds}`
    const isOther = found.payments.length === 0 && (found.pushes.length > 0 || found.failing !== undefined)
    const payments = () =>
      table(found.payments, none, {
        shop: ({ shop }) => shop,
        order: ({ order }) => order,
        'found by': ({ by }) => by,
        status: ({ status }) => status,
        'waits for': ({ waitsFor }) => waitsFor,
      })
    // A person can act, also where no provider runs.
    const waits = found.payments.some(({ waitsFor }) => !/^(?:nothing|a person)/.test(waitsFor))
    const still = waits ? await standstill(store) : []
    print(json, found, () => [
      ...(isOther ? [] : payments()),
      ...(found.more > 0 ? [`${found.more} more have this id.`] : []),
      ...found.payments.map(({ next }) => `Next: ${next}`),
      ...found.pushes.map((push) => pushLine(push, text)),
      ...still,
      ...(found.failing ? failingLines(found.failing) : []),
    ])
  })
}
