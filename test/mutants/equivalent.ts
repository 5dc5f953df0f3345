/** A change that no test can catch, because nothing behaves in another way. It counts as not caught, and is printed with its reason. */
export interface Equivalent {
  file: string
  /** The line before and after, without the blanks around it. */
  before: string
  after: string
  why: string
}

export const equivalent: Equivalent[] = [
  {
    file: 'src/rates/points/nearest.ts',
    before: 'this.#points = points.toSorted((one, other) => (one.id < other.id ? -1 : 1))',
    after: 'this.#points = points.toSorted((one, other) => (one.id <= other.id ? -1 : 1))',
    why: 'no two points have one id',
  },
  {
    file: 'src/rates/points/nearest.ts',
    before: 'if (figure < best.worst && wanted(this.#points[at]!)) best.offer(at, figure)',
    after: 'if (figure <= best.worst && wanted(this.#points[at]!)) best.offer(at, figure)',
    why: 'one that is as far away is put last and dropped at once',
  },
  {
    file: 'src/rates/tariffs/table-rates.ts',
    before: 'const lots = zone >= 0 ? lotsFor(its, zone, groups, { value: worth, now }) : undefined',
    after: 'const lots = true ? lotsFor(its, zone, groups, { value: worth, now }) : undefined',
    why: 'a zone of -1 has no lines',
  },
  {
    file: 'src/rates/tariffs/lint.ts',
    before: 'const [first, second] = row.line < other.line ? [row, other] : [other, row]',
    after: 'const [first, second] = row.line <= other.line ? [row, other] : [other, row]',
    why: 'no two rows stand in one line',
  },
  {
    file: 'src/payments/check-start.ts',
    before: 'if (notes.size >= noteAtMost) notes.clear()',
    after: 'if (false) notes.clear()',
    why: 'it bounds memory: what was forgotten is only looked up again',
  },
  {
    file: 'src/shops/shop-settings.ts',
    before: 'if (this.#read.has(adapter)) return this.#read.get(adapter)',
    after: 'if (false) return this.#read.get(adapter)',
    why: 'the same settings are only read again with the same schema',
  },
  {
    file: 'src/webhooks/deliver-webhooks.ts',
    before: 'if (this.#remembered.size >= rememberAtMost) this.#remembered.clear()',
    after: 'if (this.#remembered.size > rememberAtMost) this.#remembered.clear()',
    why: 'it bounds memory: what was forgotten is only read again',
  },
]
