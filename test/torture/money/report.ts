/** What one attempt found. */
export interface MoneyReport {
  /** How much it tried, so that a report without violations says something. */
  tries: number
  violations: string[]
}
