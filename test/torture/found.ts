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
