import type { Attempt } from '../../payments/payment.ts'
import { reasonOf } from '../rates/cause-of.ts'
import type { Workings } from '../workings.ts'
import { findStarted } from './call-start.ts'
import { adapterOf } from './read-status.ts'

interface LookedUp {
  found?: Attempt | undefined
  /** In words. Not set where the adapter has no `find`, so that nobody was asked. */
  answer?: string
  error?: unknown
}

/** Asks the payment service for the payment of a start whose outcome was not stored, and stores it if there is one. Never rejects. */
export async function lookUpStart(workings: Workings, attempt: Attempt): Promise<LookedUp> {
  const adapter = adapterOf(workings, attempt)
  if (!adapter?.find) return {}
  try {
    const found = await findStarted(workings, adapter, attempt, workings.deadlines.start)
    return { found, answer: found ? 'its start was found' : 'it has no payment of this start' }
  } catch (error) {
    return { answer: `looking up its start failed: ${reasonOf(error)}`, error }
  }
}
