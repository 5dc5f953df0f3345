import { PurveyorError, wrongCall } from '../errors/errors.ts'
import { type ProblemCode, problems } from '../errors/problems.ts'

/** One fault in a body: its JSON path and what is wrong there. Never the value itself. */
export interface FieldFault {
  path: string
  message: string
}

/** The `type` of a problem (RFC 9457): the name of its page in `purveyor explain` and `purveyor docs`, without a host. */
export const problemType = (code: string): string => `urn:purveyor:problem:${code}`

/** An error with an answer of its own. Any other error becomes `INTERNAL`. */
export class Problem extends PurveyorError {
  override readonly name = 'Problem'
  declare readonly code: ProblemCode
  declare readonly faults: readonly FieldFault[]
  /** In whole seconds. Set for every 429 and 503. */
  readonly retryAfter: number | undefined
  readonly #remedy: string

  constructor(
    code: ProblemCode,
    {
      faults,
      retryAfter,
      cause,
      remedy,
    }: { faults?: readonly FieldFault[]; retryAfter?: number; cause?: unknown; remedy?: string } = {},
  ) {
    if (!Object.hasOwn(problems, code))
      throw wrongCall(`new Problem(): the code must be one of ${Object.keys(problems).join(', ')}`)
    const { title, remedy: usual, status } = problems[code]
    super(code, `${title} ${remedy ?? usual}`, { faults, cause })
    this.#remedy = remedy ?? usual
    this.retryAfter = retryAfter ?? (status === 429 || status === 503 ? 5 : undefined)
  }

  override get remedy(): string {
    return this.#remedy
  }

  get status(): number {
    return problems[this.code].status
  }

  toJSON() {
    const { code, faults, remedy: detail } = this
    const { status, title } = problems[code]
    return {
      type: problemType(code),
      title,
      status,
      code,
      detail,
      errors: faults.length > 0 ? faults : undefined,
    }
  }
}
