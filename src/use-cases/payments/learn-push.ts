import type { PushedReport } from '../../payments/adapter.ts'
import type { Attempt } from '../../payments/payment.ts'
import { readDetail, readReports } from '../../payments/read-report.ts'
import { type Statement, saidWord } from '../../payments/report.ts'
import { type Push, type SettledPush, StoreUnavailable } from '../../store.ts'
import { fromPlatform, openContent } from '../push-content.ts'
import { processResourceEvent } from '../resource-events/process-event.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
import { CalledAdapter, leftAlone, ServiceFailed } from './called-adapter.ts'
import { learnOf } from './learn-payment.ts'
import { earlierGenuine, findPushed, pushContext } from './push-context.ts'
import { askStatus } from './read-status.ts'

/** The result of one report of a push. */
interface LearnedReport {
  /** In words. */
  detail: string
  /** The name of a payment that is not here, and whether an attempt may get that name later. */
  missing?: { name: string; isReference: boolean }
  isIgnored?: true
}

/**
 * Stores the reports of a push, each by itself: one that cannot be read keeps none of the others back. Rejects with the first failure, a
 * `ServiceFailed` if its payment service does not return the status of a payment.
 */
export async function learnPush(workings: Workings, push: Push): Promise<SettledPush> {
  if (push.adapter === fromPlatform) return processResourceEvent(workings, push)
  const adapter = workings.payments.find(({ name }) => name === push.adapter)
  if (!adapter?.push) return { outcome: 'unmatched', detail: 'no adapter reads it' }
  const { push: reader } = adapter
  const { headers, query, ...sent } = openContent(workings.contents, push)
  const body = Buffer.from(sent.body, 'base64')
  const called = new CalledAdapter(workings, adapter, push.shopId, workings.deadlines.start)
  const content = { body, headers, query }
  const readBy = async (one: CalledAdapter) => {
    const ctx = await pushContext(one)
    const read = () => reader.read(content, ctx)
    return one
      .ask('read', read, (answer) => [answer].flat() as PushedReport[])
      .catch((error: unknown) => {
        throw one.failureOf(error) ?? error
      })
  }
  const pushed = await readBy(called).catch(async (error: unknown) => {
    const isAway = error instanceof StoreUnavailable || error instanceof ServiceFailed
    const earlier = isAway ? undefined : await earlierGenuine(called, content)
    if (!earlier) throw error
    return readBy(earlier)
  })
  const learned: LearnedReport[] = []
  const failures: unknown[] = []
  for (const one of pushed) {
    const what = await learnPushed(workings, adapter, push.shopId, one).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) throw error
      failures.push(error)
    })
    if (what) learned.push(what)
  }
  if (failures.length > 0) throw failures[0]
  const missing = learned.flatMap((one) => one.missing ?? [])
  const isIgnored = learned.every((one) => one.isIgnored)
  return {
    outcome: missing.length > 0 ? 'unmatched' : isIgnored ? 'ignored' : 'processed',
    detail: learned.map(({ detail }) => detail).join('; ') || 'it names no payment',
    names: missing.map(({ name }) => name),
    references: missing.filter(({ isReference }) => isReference).map(({ name }) => name),
  }
}

async function learnPushed(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  shopId: string,
  pushed: PushedReport,
): Promise<LearnedReport> {
  if ('ignored' in pushed) return { detail: readDetail(String(pushed.ignored)), isIgnored: true }
  const attempt = await findPushed(workings, adapter, shopId, pushed)
  if (!attempt) {
    const isReference = 'reference' in pushed
    const [kind, name] = isReference ? ['reference', pushed.reference] : ['attempt', pushed.attemptId]
    return { detail: `no payment of the shop has this ${kind}`, missing: { name: String(name), isReference } }
  }
  const confirms = adapter.push?.confirm === 'status'
  const report = confirms ? undefined : pushed.report
  const said = report ? readReports(report) : await ask(workings, attempt)
  if (!said) return { detail: 'no report, and the adapter has no status()' }
  const learned = await learnOf(workings, attempt, said, report ? 'push' : 'status')
  const { status, orderId } = learned.payment
  const became = learned.added.length === 0 ? 'known already' : 'noted'
  return {
    detail: `${said.map(saidWord).join(', ')}: ${became}, the payment of order ${orderId} is ${status}`,
  }
}

/** Asks the payment service, unless it answered 429 and its pause is not over. */
async function ask(workings: Workings, attempt: Attempt): Promise<Statement[] | undefined> {
  const pauseLeft = () => workings.memory.askPauses.left({ adapter, shop }, workings.world.now())
  const { adapter, shopId: shop } = attempt
  const pause = pauseLeft()
  if (pause > 0) throw new ServiceFailed(leftAlone, pause)
  return askStatus(workings, attempt, 'caller').catch((error: unknown) => {
    if (error instanceof StoreUnavailable) throw error
    throw new ServiceFailed(
      error instanceof Error ? error.message : 'the payment service failed',
      pauseLeft(),
      error,
    )
  })
}
