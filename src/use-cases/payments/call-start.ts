import { z } from 'zod'
import { attemptView, type StartContext, type Started } from '../../payments/adapter.ts'
import type { Attempt, AttemptStart } from '../../payments/payment.ts'
import { nextCheck } from '../../payments/schedule.ts'
import { call, type Deadline } from '../deadline.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
import { learnOf } from './learn-payment.ts'
import { attemptContext, paymentContext } from './payment-context.ts'
import { canBeAsked } from './read-status.ts'

const hour = 3_600_000
const day = 24 * hour

/** Where the customer goes when the payment service is done with them: our address, which leads on to the shop. */
export const returnUrl = (workings: Workings, attempt: Attempt): string =>
  `${pageUrl(workings, attempt)}/return`

export const pageUrl = (workings: Workings, attempt: Attempt): string =>
  `${workings.publicUrl}/p/${workings.pages.of(attempt)}`

/**
 * Sees to it that the attempt's page has the address that it is given now, and resolves with its hash: the row may have one that was made
 * before addresses were derived.
 */
export async function ensurePage({ store, pages }: Workings, attempt: Attempt): Promise<string> {
  const pageHash = pages.hashOf(attempt)
  if (attempt.pageHash !== pageHash) await store.movePage(attempt.shopId, attempt.id, pageHash)
  return pageHash
}

export async function startContext(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  attempt: Attempt,
  deadline: Deadline,
): Promise<StartContext> {
  return Object.assign(await attemptContext(workings, adapter, attempt, deadline), {
    returnUrl: returnUrl(workings, attempt),
    pushUrl: adapter.push && (await workings.pushUrl(attempt.shopId, adapter.name)),
  })
}

/** Asks the payment service what a start of unknown outcome has made. `undefined`: nothing, or it cannot be asked. */
export async function findStarted(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  attempt: Attempt,
  deadline: Deadline,
): Promise<Attempt | undefined> {
  if (!adapter.find) return undefined
  await ensurePage(workings, attempt)
  const ctx = await startContext(workings, adapter, attempt, deadline)
  const about = { adapter: adapter.name, call: 'find', shop: attempt.shopId }
  const found = await workings.world.observer.adapterCall(about, () =>
    deadline.wait(call(() => adapter.find!(attempt.idempotencyKey, ctx))),
  )
  if (found === undefined) return undefined
  return noteStarted(workings, attempt, checkStarted(workings, adapter, found, 'find'))
}

/** Puts on disk how an attempt goes on. */
export async function noteStarted(workings: Workings, attempt: Attempt, started: Started): Promise<Attempt> {
  const { world, store } = workings
  if ('refused' in started) {
    await learnOf(workings, attempt, { status: 'declined', detail: started.refused }, 'start')
    // The customer goes straight back; the shop reads `cancelled` and lets them choose again.
    return {
      ...attempt,
      started: { how: 'redirect', paymentUrl: returnUrl(workings, attempt), ...noDetails },
    }
  }
  const expiresAt = started.expiresAt?.getTime() ?? world.now() + ('later' in started ? 14 * day : hour)
  const asked = canBeAsked(workings, attempt)
    ? nextCheck({ openedAt: attempt.openedAt, expiresAt }, world.now())
    : undefined
  const times = { expiresAt, checkAt: asked ?? expiresAt }
  return store.noteStart(attempt.shopId, attempt.orderId, attempt.id, attemptStart(started), times)
}

const noDetails = { urlExpiresAt: undefined, reference: undefined }

function attemptStart(started: Exclude<Started, { refused: string }>): AttemptStart {
  const { reference } = started
  if ('page' in started) return { ...noDetails, how: 'page', paymentUrl: undefined, reference }
  if ('later' in started) return { ...noDetails, how: 'later', paymentUrl: undefined, reference }
  return {
    how: 'redirect',
    paymentUrl: started.redirect,
    urlExpiresAt: started.urlExpiresAt?.getTime(),
    reference,
  }
}

const details = { reference: z.string().max(255).optional(), expiresAt: z.date().optional() }
const startedSchema = z.union([
  z.object({ ...details, redirect: z.url({ protocol: /^https?$/ }), urlExpiresAt: z.date().optional() }),
  z.object({ ...details, page: z.literal(true) }),
  z.object({ ...details, later: z.literal(true) }),
  z.object({ ...details, refused: z.string() }),
])

export function checkStarted(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  answer: unknown,
  member: 'start' | 'find',
): Started {
  const { success, data } = startedSchema.safeParse(answer)
  const start = `${member}() of payment adapter "${adapter.name}"`
  if (!success) {
    throw new TypeError(
      `${start} returns { redirect: url }, { page: true }, { later: true } or { refused: why }`,
    )
  }
  if ('page' in data && !adapter.page)
    throw new TypeError(`${start} returns { page: true }, but the adapter has no page`)
  if ('redirect' in data && !workings.development && !data.redirect.startsWith('https:')) {
    throw new TypeError(`${start} returns a redirect that is not https`)
  }
  return data
}

/** Closes the live attempts that this one has taken the place of. One that cannot be closed stays watched. */
export async function cancelOthers(
  workings: Workings,
  attempts: readonly Attempt[],
  deadlineOf: () => Deadline,
): Promise<void> {
  const { serviceCalls, world } = workings
  await Promise.all(
    attempts.map(async (attempt) => {
      const adapter = workings.payments.find(({ name }) => name === attempt.adapter)
      if (!adapter?.cancel || !attempt.started) return
      try {
        // Its deadline begins with its turn.
        await serviceCalls.run('cancel', adapter.name, () =>
          cancelOne(workings, adapter, attempt, deadlineOf()),
        )
      } catch (error) {
        world.log.warn(
          { shop: attempt.shopId, order: attempt.orderId, attempt: attempt.id, err: error },
          'an attempt that was replaced could not be cancelled: it stays watched',
        )
      }
    }),
  )
}

async function cancelOne(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  attempt: Attempt,
  deadline: Deadline,
): Promise<void> {
  const ctx = await paymentContext(workings, adapter, attempt.shopId, deadline)
  const about = { adapter: adapter.name, call: 'cancel', shop: attempt.shopId }
  const said = await workings.world.observer.adapterCall(about, () =>
    deadline.wait(call(() => adapter.cancel!(attemptView(attempt), ctx))),
  )
  await learnOf(workings, attempt, said ?? { status: 'cancelled' }, 'cancel')
}
