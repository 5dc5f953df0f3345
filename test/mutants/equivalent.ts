/** A change that no test can notice, because nothing behaves in another way. It counts as not caught, and is printed with its reason. */
export interface Equivalent {
  file: string
  /** The line before and after, without the blanks around it. */
  before: string
  after: string
  why: string
}

export const equivalent: Equivalent[] = []
