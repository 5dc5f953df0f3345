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
    file: 'src/shops/shop-settings.ts',
    before: 'if (this.#read.has(adapter)) return this.#read.get(adapter)',
    after: 'if (false) return this.#read.get(adapter)',
    why: 'the same settings are only read again with the same schema',
  },
]
