const second = 1_000
const minute = 60 * second

/** The most forms of one attempt, unless the adapter sets a lower figure. All attempts of an order together have twice as many. */
export const mostForms = 30

/** So many forms may come to nothing before the page pauses. */
const withoutPause = 5
const longestPause = 5 * minute

/** The forms of a page that were handed to its adapter, counted before the adapter is called. */
export interface FormCount {
  forms: number
  /** Those of them that came to nothing, or whose outcome is not known. A step that goes on is not among them. */
  fruitless: number
  /** Before that moment no form is taken, in milliseconds since 1970. */
  nextAt: number
  /** There were too many: the page takes no more. */
  isOver?: true
}

/** The count with one more form. It came to nothing, until its outcome says otherwise. */
export function withForm({ forms, fruitless }: FormCount, now: number): FormCount {
  const over = fruitless + 1 - withoutPause
  const pause = over < 0 ? 0 : Math.min(longestPause, second * 2 ** over)
  return { forms: forms + 1, fruitless: fruitless + 1, nextAt: now + pause }
}

/** The count once its last form turned out to be a step that goes on. */
export const withStep = ({ forms, fruitless }: FormCount): FormCount => ({
  forms,
  fruitless: fruitless - 1,
  nextAt: 0,
})

/** The count of a page that takes no more forms. Should its attempt go on, a form that comes all the same ends it, seldom. */
export const withoutForms = (count: FormCount, now: number): FormCount => ({
  ...count,
  nextAt: now + longestPause,
  isOver: true,
})

/** The milliseconds until a page takes a form; 0 at once. A clock that was set back makes no pause longer. */
export function pauseLeft({ nextAt }: FormCount, now: number): number {
  const left = nextAt - now
  return left > 0 && left <= longestPause ? left : 0
}

/** Whether an attempt has had as many forms as it may, or its order has, in all attempts together. */
export const hadTooMany = (own: FormCount, ofOrder: readonly FormCount[], most = mostForms): boolean =>
  own.forms >= most || ofOrder.reduce((sum, { forms }) => sum + forms, 0) >= 2 * most
