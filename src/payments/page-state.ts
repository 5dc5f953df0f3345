import type { ContentSeal } from './content-seal.ts'
import type { Attempt } from './payment.ts'

/** Where the customer is on the page of an attempt, between two visits: a reload, Back and a second tab show the same. */
export type PageState =
  /** The form with what was wrong with it, as HTML. */
  | { is: 'again'; content: string }
  /** The customer went on to this address, and has not come back. */
  | { is: 'onward'; url: string }
  /** A form was handled, and its outcome is not known: it may have moved money. */
  | { is: 'unsure' }

/** The most that is kept of a form, in bytes of JSON. */
export const mostState = 64 * 1024

const rowOf = (id: string) => `page ${id}` as const

export const sealState = (contents: ContentSeal, id: string, state: PageState): string =>
  contents.close(JSON.stringify(state), rowOf(id))

export const openState = (contents: ContentSeal, { id, pageState }: Attempt): PageState | undefined =>
  pageState === undefined ? undefined : (JSON.parse(contents.open(pageState, rowOf(id))) as PageState)
