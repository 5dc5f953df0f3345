import { type ErrorCode, PurveyorError } from '../../errors/errors.ts'

/** Wrong usage of a command, or missing input. Ends with exit code 2. */
export class UsageError extends PurveyorError {
  override readonly name = 'UsageError'
  readonly exitCode = 2
  constructor(message: string, code: ErrorCode = 'USAGE_WRONG') {
    super(code, message)
  }
}

/** The check of a command failed. Ends with exit code 1. */
export const checkFailed = (message: string): Error => Object.assign(new UsageError(message), { exitCode: 1 })

/** A fault of the environment: a port is in use, npm fails. Ends with exit code 3. */
export class EnvironmentProblem extends PurveyorError {
  override readonly name = 'EnvironmentProblem'
  readonly exitCode = 3
  constructor(message: string, code: ErrorCode = 'ENVIRONMENT_UNFIT') {
    super(code, message)
  }
}

/** The error of a `listen` that failed. `whose` names the port of a command that has two. The scripts of a project take options behind `--`. */
export function listenFault(error: NodeJS.ErrnoException & { port?: number }, whose = ''): Error {
  const { code, port } = error
  if (code !== 'EADDRINUSE') return error
  const call = { start: 'npm start', dev: 'npm run dev' }[process.env.npm_lifecycle_event ?? '']
  const how = call ? `: ${call} -- --port 4000` : '.'
  return new EnvironmentProblem(`Port ${port}${whose} is in use. Choose another one with --port${how}`)
}
