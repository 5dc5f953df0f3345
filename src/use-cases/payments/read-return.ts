import { attemptView, type PaymentReturn } from '../../payments/adapter.ts'
import { openState } from '../../payments/page-state.ts'
import type { Attempt } from '../../payments/payment.ts'
import { readReports } from '../../payments/read-report.ts'
import { callAdapter } from '../call-adapter.ts'
import { Deadline } from '../deadline.ts'
import type { Workings } from '../workings.ts'
import { askForPage } from './ask-for-page.ts'
import { attemptContext } from './attempt-context.ts'
import { learnOf } from './learn-payment.ts'
import { movePageState } from './move-page-state.ts'
import { canBeAsked, readStatus } from './read-status.ts'
import { isPageOver } from './submit-page.ts'

/**
 * Reads what a payment service sent along with the customer who comes back, and resolves with where they go on: to the shop, or to the page,
 * where the service says that they have not finished or does not answer. Anybody can open this address: what `verify` does not confirm
 * counts as nothing, and with `confirm: 'status'` the service itself is asked. A fault of the adapter keeps nobody from the shop: the status
 * comes by a push, or when the service is asked.
 */
export async function readReturn(
  workings: Workings,
  attempt: Attempt,
  request: PaymentReturn,
): Promise<'shop' | 'page'> {
  const { store, contents } = workings
  const { shopId, orderId, id } = attempt
  const again = await readSent(workings, attempt, request)
  const before = await store.payment(shopId, orderId)
  const isOfPage = attempt.started?.how === 'page' && canBeAsked(workings, attempt)
  if (!isOfPage || before?.status !== 'pending') {
    await readStatus(workings, shopId, orderId)
    return 'shop'
  }
  const standing = await askForPage(workings, attempt)
  const payment = await store.payment(shopId, orderId)
  const current = payment?.attempts.find((one) => one.id === id)
  if (!payment || !current || isPageOver(payment, current) || standing === 'further') return 'shop'
  if (standing === 'unknown') await movePageState(workings, current, { is: 'unsure' })
  else if (again || openState(contents, current)?.is === 'unsure')
    await movePageState(workings, current, undefined)
  return 'page'
}

/** Whether what came along says that the customer may fill in the page again. */
async function readSent(workings: Workings, attempt: Attempt, request: PaymentReturn): Promise<boolean> {
  const { world } = workings
  const { shopId, orderId, id } = attempt
  const adapter = workings.payments.find(({ name }) => name === attempt.adapter)
  const { returned } = adapter ?? {}
  if (!adapter || !returned) return false
  const deadline = new Deadline(world, workings.deadlines.start)
  const how = { adapter, call: 'returned', shop: shopId, deadline }
  try {
    const ctx = Object.assign(await attemptContext(workings, adapter, attempt, deadline), {
      attempt: attemptView(workings.contents, attempt),
    })
    if (
      returned.verify &&
      (await callAdapter(workings, how, () => returned.verify!(request, ctx))) !== true
    ) {
      world.observer.refused('RETURN_UNVERIFIED', { shop: shopId })
      return false
    }
    const said = await callAdapter(workings, how, () => returned.read(request, ctx))
    if (said !== undefined && 'again' in said) return said.again
    if (returned.verify && said !== undefined) await learnOf(workings, attempt, readReports(said), 'return')
  } catch (error) {
    const about = { shop: shopId, order: orderId, attempt: id }
    world.log.error({ ...about, err: error }, 'what came with a customer could not be read')
  }
  return false
}
