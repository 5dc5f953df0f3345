/** What a search found. */
export interface Found {
  /** How much it tried, so that a report without violations says something. */
  tries: number
  violations: string[]
}

export const joined = (all: readonly Found[]): Found => ({
  tries: all.reduce((sum, { tries }) => sum + tries, 0),
  violations: all.flatMap(({ violations }) => violations),
})

/** Tries that are counted, each with what has to be found. */
export function finding(about = '') {
  const found: Found = { tries: 0, violations: [] }
  const is = (what: string, value: unknown, expected: unknown) => {
    found.tries++
    if (value !== expected) found.violations.push(`${about}${what} is ${value}, expected is ${expected}`)
  }
  return { found, is }
}
