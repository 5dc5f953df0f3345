import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { PurveyorError } from '../../errors/errors.ts'
import { fileFault } from '../../file-fault.ts'
import { jsonOrText } from '../../rates/files/file-text.ts'
import { filesOf, numberOf } from './record.ts'

/** The number of the first file of a recording: a folder may hold several, whose orders have the same ids. */
const session = z.int()

const recordedCall = z.object({
  session,
  method: z.enum(['GET', 'POST']),
  path: z.string().regex(/^[\w/.-]+$/),
  request: z.unknown().optional(),
  /** Not set without an answer. */
  status: z.int().optional(),
  answer: z.unknown().optional(),
  shopId: z.int().optional(),
  /** The answer was lost on the way, as the switch `answers` says. */
  lost: z.literal(true).optional(),
})

const recordedStep = z.discriminatedUnion('step', [
  z.object({
    session,
    step: z.literal('customer'),
    orderId: z.int(),
    /** The button or link of the page. */
    choose: z.string(),
    /** The start of the payment whose page it is, 0 for the first one of the order; -1 for the last one. */
    start: z.int(),
    /** The number of tabs at the same moment. */
    tabs: z.int().min(1),
    /** Whether the page had this choice. */
    done: z.boolean(),
  }),
  z.object({ session, step: z.literal('clock'), ms: z.number().min(0), done: z.boolean() }),
])

/** A call as a file holds it, with personal data replaced. */
export type RecordedCall = z.output<typeof recordedCall>
/** A step of the customer or the clock as a file holds it. */
export type RecordedStep = z.output<typeof recordedStep>
export type RecordedEntry = RecordedCall | RecordedStep

const unusable = (message: string, cause?: unknown) =>
  new PurveyorError('RECORDING_UNUSABLE', message, { cause })

/** The calls and steps of a recording in their order. Throws `RECORDING_UNUSABLE` that names the file. */
export function readRecording(folder: string): { name: string; call: RecordedEntry }[] {
  let names: string[]
  try {
    names = filesOf(folder).sort((one, other) => numberOf(one) - numberOf(other))
  } catch (cause) {
    const fault = fileFault(folder, (cause as NodeJS.ErrnoException).code, { wanted: 'folder' })
    throw unusable(`The recording ${folder} ${fault}.`, cause)
  }
  if (names.length === 0)
    throw unusable(`${folder} holds no recorded calls, such as 0001-shipment_methods.json.`)
  return names.map((name) => {
    const file = join(folder, name)
    const call = z.union([recordedStep, recordedCall]).safeParse(jsonOrText(textOf(file)))
    if (!call.success)
      throw unusable(`${file} is not a recorded call. Remove it, or record again with --record.`)
    return { name, call: call.data }
  })
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const fault = fileFault(file, (cause as NodeJS.ErrnoException).code, { wanted: 'entry' })
    throw unusable(`${file} ${fault}.`, cause)
  }
}
