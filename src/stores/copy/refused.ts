import { PurveyorError } from '../../errors.ts'

/** A copy that does not begin, or does not go on: what is wrong, and what to do. Nothing was written by the step that throws it. */
export const refused = (message: string, cause?: unknown): PurveyorError =>
  new PurveyorError('COPY_REFUSED', message, { cause })
