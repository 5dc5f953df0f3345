/** Wrong usage of a command, or missing input. Ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly exitCode = 2
}

/** A fault of the environment: a port is in use, npm fails. Ends with exit code 3. */
export class EnvironmentProblem extends Error {
  override readonly name = 'EnvironmentProblem'
  readonly exitCode = 3
}
