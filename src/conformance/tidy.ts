import { setTimeout } from 'node:timers/promises'
import { pressOnPage } from '../sandbox/scenarios/payment-page.ts'
import { faults } from './answers.ts'
import { webhookPathOf } from './receiver.ts'
import type { Target } from './target.ts'

const sideBySide = 4
/** The wait for webhooks of orders that are closed, in milliseconds. A webhook that was refused before comes again by then. */
const patience = 3_000

const ends = ['paid', 'cancelled', 'expired']

/** The test orders of a check. */
export interface TestOrders {
  /** Payments that the provider has started. */
  started: number
  /** Those that it still holds open: their payment page has no button to cancel, or does not work. */
  open: number
}

/** Cancels the test orders of a check, takes the webhooks that are still to come, and reads each status, so that nothing is owed. Never rejects. */
export async function closeTestOrders(target: Target, signal: AbortSignal | undefined): Promise<TestOrders> {
  const all = [...target.acceptedStarts]
  target.receiver.answers.clear()
  const waiting = all.values()
  const closed: number[] = []
  const work = async () => {
    for (const [orderId, pages] of waiting) {
      if (signal?.aborted) return
      if (await close(target, orderId, [...pages])) closed.push(orderId)
    }
  }
  await Promise.all(Array.from({ length: sideBySide }, work))
  // A provider that calls no webhook is not waited for.
  if (target.receives && !signal?.aborted && !target.found.has(faults.noWebhook))
    await webhooksOf(target, closed)
  return { started: all.length, open: all.length - closed.length }
}

async function close(target: Target, orderId: number, paymentUrls: readonly string[]): Promise<boolean> {
  const isOpen = async () => !ends.includes(await target.statusOf(orderId).catch(() => 'pending'))
  if (!(await isOpen())) return true
  const press = async (url: string, outcome: string) => void (await pressOnPage(url, outcome).catch(() => {}))
  // A changed amount has opened a page of its own. The payment of the old one stays open until the order is paid.
  if (paymentUrls.length > 1) {
    await press(paymentUrls.at(-1)!, 'paid')
    if (!(await isOpen())) return true
  }
  for (const url of paymentUrls) await press(url, 'cancelled')
  return !(await isOpen())
}

/** Waits until the shop has accepted a webhook of each order, and reads the status that it is about. */
async function webhooksOf(target: Target, closed: readonly number[]): Promise<void> {
  const until = performance.now() + patience
  const isOwed = (orderId: number) => !target.receiver.accepted.has(webhookPathOf(orderId))
  while (closed.some(isOwed) && performance.now() < until) await setTimeout(50)
  for (const orderId of closed) await target.statusCall(orderId)
}
