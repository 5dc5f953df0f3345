import { isUnsure } from '../../payments/page-standing.ts'
import { openState } from '../../payments/page-state.ts'
import type { Attempt } from '../../payments/payment.ts'
import type { Workings } from '../workings.ts'
import { askForPage } from './ask-for-page.ts'
import { movePageState } from './move-page-state.ts'
import { canBeAsked } from './read-status.ts'

/**
 * Asks the payment service how an attempt stands whose form had no certain outcome, or whose customer is not going to finish at the bank.
 * Where it says that the customer has not finished, the form is offered again. Without an answer everything stays as it is: a second
 * payment beside one that was confirmed would take the money twice.
 */
export async function lookAgain(workings: Workings, attempt: Attempt): Promise<void> {
  const state = openState(workings.contents, attempt)
  if (state.count.forms === 0) return
  const { standing } = await askForPage(workings, attempt)
  const mayOffer = state.is === 'onward' ? canChooseAgain(workings, attempt) : isUnsure(state)
  if (standing === 'open' && mayOffer) await offerForm(workings, attempt)
}

/**
 * Whether a customer at the bank may choose another way to pay. The service has to hold one payment for the attempt, which `start` has
 * named: it closes what was open at the first bank. A payment that each form opens by itself stays payable beside the next.
 */
export const canChooseAgain = (workings: Workings, attempt: Attempt): boolean =>
  canBeAsked(workings, attempt) && attempt.started?.reference !== undefined

/** Offers the form again, unless an earlier one may still reach the payment service. */
export async function offerForm(workings: Workings, attempt: Attempt): Promise<void> {
  const { memory, contents, world } = workings
  const state = openState(contents, attempt)
  if (memory.lateForms.has(attempt.id)) return
  if ((state.is === 'unsure' || state.is === 'handling') && world.now() < state.quiet) return
  await movePageState(workings, attempt, { is: 'open', count: state.count })
}
