import { PurveyorError } from '../errors.ts'
import { type ProblemCode, problems } from './problems.ts'

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
  readonly errors: FieldFault[] | undefined
  /** In whole seconds. Set for every 429 and 503. */
  readonly retryAfter: number | undefined

  constructor(
    code: ProblemCode,
    options: {
      errors?: FieldFault[]
      retryAfter?: number
      cause?: unknown
    } = {},
  ) {
    super(code, `${code}: ${problems[code].title} ${problems[code].remedy}`, {
      faults: options.errors,
      cause: options.cause,
    })
    this.errors = options.errors
    this.retryAfter = options.retryAfter ?? ([429, 503].includes(problems[code].status) ? 5 : undefined)
  }

  override get remedy(): string {
    return problems[this.code].remedy
  }

  get status(): number {
    return problems[this.code].status
  }

  toJSON() {
    const { status, title, remedy } = problems[this.code]
    return {
      type: problemType(this.code),
      title,
      status,
      code: this.code,
      detail: remedy,
      errors: this.errors,
    }
  }
}
