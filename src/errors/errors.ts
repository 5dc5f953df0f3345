import { errorCodes, platformCodes } from './codes.ts'
import { type ProblemCode, problems } from './problems.ts'
import { type RefusalCode, refusals } from './refusals.ts'

/** Why a call out is not made, or its answer is not read. */
export const outgoingCodes = [
  'OUTGOING_REFUSED',
  'NAME_NOT_FOUND',
  'NAME_SERVER_FAILED',
  'NAME_LOOKUPS_FULL',
  'ANSWER_TOO_LARGE',
  'ANSWER_ENCODED_TWICE',
] as const satisfies readonly RefusalCode[]
type OutgoingCode = (typeof outgoingCodes)[number]

/** The code of a `PurveyorError`. `purveyor explain <CODE>` prints its page. */
export type ErrorCode = keyof typeof errorCodes | ProblemCode | OutgoingCode

/** One of several faults of one input. Never the value itself. */
export interface ErrorFault {
  /** Where: a path such as `rates.deadline`, or a line of a file. Not set where the message names the place. */
  path?: string
  message: string
}

/** The fields of a `PurveyorError` besides its code and message. */
export interface ErrorDetails {
  place?: string | undefined
  faults?: readonly ErrorFault[] | undefined
  cause?: unknown
}

const texts: Record<ErrorCode, { why?: string; remedy: string }> = { ...refusals, ...problems, ...errorCodes }

/**
 * Every error that Purveyor throws at its users, except the `TypeError` of the functions on money (`price`, `decimal`, `toMinor`, `fromMinor`)
 * and the `RangeError` of a `movableClock` that would go back.
 * The message says what happened, where, and what to do.
 */
export class PurveyorError extends Error {
  override readonly name: string = 'PurveyorError'
  /** Stable: made for `switch`. */
  readonly code: ErrorCode
  /** The one thing that the error is about, such as a host or a parameter. Not set where there are several, or none. */
  readonly place: string | undefined
  /** Every fault that was found; empty where the error has one only. */
  readonly faults: readonly ErrorFault[]

  /** Without a message it is the text of the code. Throws `ARGUMENT_INVALID` for a code that there is not. */
  constructor(code: ErrorCode, message?: string, { place, faults = [], cause }: ErrorDetails = {}) {
    if (!Object.hasOwn(texts, code)) throw wrongCall(`new PurveyorError(): ${unknownCode(code)}`)
    super(message ?? `${texts[code].why} ${texts[code].remedy}`, cause === undefined ? undefined : { cause })
    this.code = code
    this.place = place
    this.faults = faults
  }

  /** The next step, in a sentence. */
  get remedy(): string {
    return texts[this.code].remedy
  }
}

/** Names the codes that begin with the same word. */
function unknownCode(code: unknown): string {
  const all = '`purveyor explain` lists all codes.'
  if (typeof code !== 'string') return `the code must be text such as ARGUMENT_INVALID. ${all}`
  const [word = ''] = code.split('_', 1)
  const alike = Object.keys(texts).filter((one) => one.startsWith(`${word}_`))
  const known = alike.length === 0 ? '' : `: those of ${word} are ${alike.join(', ')}`
  return `there is no code ${code.slice(0, 64)}${known}. ${all}`
}

/** The error of a function that was called with what it does not take. */
export const wrongCall = (message: string) => new PurveyorError('ARGUMENT_INVALID', message)
/** The error of an adapter that returned what it must not. */
export const wrongAnswer = (message: string) => new PurveyorError('ADAPTER_ANSWER_INVALID', message)
/** The error of an adapter that is made with options that do not fit. */
export const wrongOptions = (message: string) => new PurveyorError('CONFIGURATION_INVALID', message)

export const hasCode = <C extends ErrorCode>(
  error: unknown,
  ...codes: readonly C[]
): error is PurveyorError & { code: C } =>
  error instanceof PurveyorError && (codes as readonly ErrorCode[]).includes(error.code)

/** Whether the message has Purveyor's own words only: those of a platform may repeat what a customer typed. */
export const hasOwnWords = (error: unknown): error is PurveyorError =>
  error instanceof PurveyorError && !Object.hasOwn(platformCodes, error.code)

/** The name of an error's class: its own fields may hold anything. */
export function kindOf(error: unknown): string {
  const named: unknown =
    error instanceof Error ? Object.getPrototypeOf(error)?.constructor?.name : typeof error
  return typeof named === 'string' ? named : 'Error'
}
