import type { Started } from '../../payments/adapter.ts'
import { sealData } from '../../payments/attempt-data.ts'
import type { Attempt, AttemptStart } from '../../payments/payment.ts'
import { nextCheck } from '../../payments/schedule.ts'
import type { Workings } from '../workings.ts'
import { noteStatements } from './note-statements.ts'
import { returnUrl } from './page-address.ts'
import { canBeAsked } from './read-status.ts'

const hour = 3_600_000
const day = 24 * hour

/** Stores the next step of an attempt. */
export async function noteStarted(workings: Workings, attempt: Attempt, started: Started): Promise<Attempt> {
  const { world, store } = workings
  if ('refused' in started) {
    await noteStatements(
      workings,
      attempt,
      [{ word: 'failed', detail: started.refused.slice(0, 200) }],
      'start',
    )
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
  const sealedData = sealData(workings.contents, attempt.id, started.data)
  const start = { ...attemptStart(started), sealedData }
  return store.noteStart(attempt.shopId, attempt.orderId, attempt.id, start, times)
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
