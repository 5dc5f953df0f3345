/** A command was used wrongly, or what it needs is missing. Ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly exitCode = 2
}

/** The machine stands in the way: a port that is taken, an npm that fails. Ends with exit code 3. */
export class EnvironmentProblem extends Error {
  override readonly name = 'EnvironmentProblem'
  readonly exitCode = 3
}
