import { hasCode, PurveyorError } from '../../errors.ts'
import { refusals } from '../../refusals.ts'

const codes = ['NAME_NOT_FOUND', 'NAME_SERVER_FAILED', 'NAME_LOOKUPS_FULL'] as const
export type UnresolvedCode = (typeof codes)[number]

/** The host has no address to connect to. The call was not made. */
export const nameUnresolved = (code: UnresolvedCode, host: string): PurveyorError =>
  new PurveyorError(code, `${host} has no address (${code}). ${refusals[code].why}`, { place: host })

export const isUnresolved = (error: unknown) => hasCode(error, ...codes)
