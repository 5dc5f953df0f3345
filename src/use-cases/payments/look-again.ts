import { openState } from '../../payments/page-state.ts'
import type { Attempt } from '../../payments/payment.ts'
import type { Workings } from '../workings.ts'
import { askForPage } from './ask-for-page.ts'
import { movePageState } from './move-page-state.ts'

/**
 * Asks the payment service how an attempt stands whose form had no certain outcome, or whose customer is not going to finish at the bank.
 * Where it says that the customer has not finished, the form is offered again. Without an answer everything stays as it is: a second
 * payment beside one that was confirmed would take the money twice.
 */
export async function lookAgain(workings: Workings, attempt: Attempt): Promise<void> {
  const state = openState(workings.contents, attempt)
  // A form whose process died says nothing any more.
  const isLost = state.is === 'handling' && state.until <= workings.world.now()
  if (state.is !== 'onward' && state.is !== 'unsure' && !isLost) return
  if ((await askForPage(workings, attempt)) === 'open') await offerForm(workings, attempt)
}

/** Offers the form again, unless an earlier one may still reach the payment service. */
export async function offerForm(workings: Workings, attempt: Attempt): Promise<void> {
  const { memory, contents, world } = workings
  const state = openState(contents, attempt)
  if (memory.lateForms.has(attempt.id)) return
  if (state.is === 'unsure' && world.now() < state.until) return
  await movePageState(workings, attempt, { is: 'open', forms: state.forms })
}
