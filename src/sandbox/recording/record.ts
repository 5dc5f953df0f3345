import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { jsonIn } from '../../contract/json.ts'
import { PurveyorError } from '../../errors.ts'
import type { CallLog, LoggedCall } from '../call-log.ts'
import { Mask } from './mask.ts'

const recordedCall = z.object({
  method: z.enum(['GET', 'POST']),
  path: z.string().regex(/^[\w/.-]+$/),
  request: z.unknown().optional(),
  /** Not set without an answer. */
  status: z.int().optional(),
  answer: z.unknown().optional(),
})

/** A call as a file holds it, with personal data replaced. */
export type RecordedCall = z.output<typeof recordedCall>

/** Writes every call to a provider into a file of its own from now on. Returns a function that stops it. */
export function record(log: CallLog, folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const mask = new Mask()
  let number = filesOf(folder).length
  return log.follow((call) => {
    if (call.direction !== 'shop to provider') return
    const what = call.method === 'GET' ? 'payment_status' : call.path
    const name = `${String(++number).padStart(4, '0')}-${what}.json`
    // Masks by the place of a value. Personal data that an answer invents is not recognised.
    writeFileSync(join(folder, name), `${JSON.stringify(masked(mask, call), null, 2)}\n`, { mode: 0o600 })
  })
}

function masked(mask: Mask, { method, path, request, status, answer }: LoggedCall) {
  // The request first: its values are then replaced in the answer.
  const sent = mask.message(request)
  return { method, path, request: sent, status, answer: mask.answer(jsonOrText(answer)) }
}

const filesOf = (folder: string) => readdirSync(folder).filter((name) => /^\d{4}-\w+\.json$/.test(name))

/** The calls of a recording in their order. Throws `RECORDING_UNUSABLE` that names the file. */
export function readRecording(folder: string): { name: string; call: RecordedCall }[] {
  let names: string[]
  try {
    names = filesOf(folder).sort()
  } catch (cause) {
    throw new PurveyorError('RECORDING_UNUSABLE', `There is no folder ${folder} to read a recording from.`, {
      cause,
    })
  }
  if (names.length === 0) {
    throw new PurveyorError(
      'RECORDING_UNUSABLE',
      `${folder} holds no recorded calls, such as 0001-shipment_methods.json.`,
    )
  }
  return names.map((name) => {
    const call = recordedCall.safeParse(jsonOrText(readFileSync(join(folder, name), 'utf8')))
    if (!call.success)
      throw new PurveyorError('RECORDING_UNUSABLE', `${join(folder, name)} is not a recorded call.`)
    return { name, call: call.data }
  })
}

export function jsonOrText(text: string): unknown {
  const json = jsonIn(text)
  return json === undefined ? text : json
}
