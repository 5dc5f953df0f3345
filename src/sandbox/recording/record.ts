import { accessSync, constants, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { PurveyorError, wrongCall } from '../../errors/errors.ts'
import { fileFault } from '../../file-fault.ts'
import { jsonOrText } from '../../rates/files/file-text.ts'
import type { CallLog, LoggedCall } from '../calls/call-log.ts'

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

/** Writes each call to a provider and each step between into a file. Returns how to stop. Throws `ARGUMENT_INVALID` for an unfit folder. */
export function record(log: CallLog, folder: string): () => void {
  const fault = folderFault(folder)
  if (fault !== undefined) throw wrongCall(`record(): ${fault}`)
  const mask = new Mask()
  let number = Math.max(0, ...filesOf(folder).map(numberOf))
  const session = number + 1
  const nameOf = (what: string) => `${String(++number).padStart(4, '0')}-${what}.json`
  const write = (name: string, content: object) => {
    const text = `${JSON.stringify({ session, ...content }, null, 2)}\n`
    writeFileSync(join(folder, name), text, { mode: 0o600 })
  }
  return log.follow(
    (call) => {
      if (call.direction !== 'shop to provider' || call.unanswered === 'not sent') return
      // Masks by the place of a value. Personal data that an answer invents is not recognised.
      write(nameOf(call.method === 'GET' ? 'payment_status' : call.path), masked(mask, call))
    },
    // A step has the number of its beginning: calls in the meantime come after it.
    (step) => {
      const name = nameOf(step.step)
      return (done) => write(name, { ...step, done })
    },
  )
}

/** Makes the folder of a recording, or says why it cannot hold one, with the remedy. */
export function folderFault(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return `${folder} cannot hold a recording (${(error as Error).message}). Name another folder.`
  }
}

function masked(mask: Mask, { method, path, request, status, answer, shopId, unanswered }: LoggedCall) {
  // The request first: its values are then replaced in the answer.
  const sent = mask.message(request)
  const lost = unanswered === 'lost' ? true : undefined
  return { method, path, shopId, request: sent, status, answer: mask.answer(jsonOrText(answer)), lost }
}

const numberOf = (name: string): number => Number.parseInt(name, 10)

const filesOf = (folder: string): string[] =>
  readdirSync(folder).filter((name) => /^\d{4,}-\w+\.json$/.test(name))

// Replaces personal data. The same value gets the same substitute throughout a recording, and empty values stay empty.

const parts = new Set(['customer', 'billing_address', 'shipping_address'])
const kept = new Set(['country', 'type', 'sameaddress'])
const addresses = new Set(['redirect_url', 'webhook_url', 'payment_url'])

class Mask {
  readonly #standIns = new Map<string, string>()

  /** A message with everything personal replaced. Lists and objects keep their shape. */
  message(value: unknown, key = '', personal = false): unknown {
    if (Array.isArray(value)) return value.map((inner) => this.message(inner, key, personal))
    if (typeof value === 'object' && value !== null) {
      // The customer's data for a method may be anything, so all of it is replaced.
      const isPersonal = (name: string) =>
        personal || parts.has(name) || (key === 'payment_method' && name === 'data')
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, this.message(inner, name, isPersonal(name))]),
      )
    }
    if (addresses.has(key) && value) return addressOf(key)
    if (!personal || kept.has(key) || value === '' || value === null || typeof value === 'boolean')
      return value
    const text = String(value)
    const standIn = this.#standIns.get(text) ?? standInOf(key, text, this.#standIns.size + 1)
    this.#standIns.set(text, typeof value === 'number' ? '1' : standIn)
    return typeof value === 'number' ? 1 : standIn
  }

  /** The same for an answer: replaces every personal value of the earlier requests. */
  answer(value: unknown): unknown {
    if (typeof value === 'string') {
      let text = value
      for (const [original, standIn] of this.#standIns)
        if (original.length > 2) text = text.replaceAll(original, standIn)
      return text
    }
    if (Array.isArray(value)) return value.map((inner) => this.answer(inner))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        addresses.has(key) && inner ? addressOf(key) : this.answer(inner),
      ]),
    )
  }
}

function standInOf(key: string, value: string, number: number): string {
  if (key === 'email') return `person${number}@customer.example`
  if (key === 'birthdate') return /^\d{4}-/.test(value) ? '1970-01-01' : '0'
  if (key === 'gender') return 'female'
  // Rates depend on it, so its beginning stays: a town or a quarter, not an address.
  if (key === 'zipcode') return value.slice(0, 4) + value.slice(4).replace(/\d/g, '0').replace(/[a-z]/gi, 'A')
  if (/^[\d+ ()-]+$/.test(value)) return value.replace(/\d/g, '0')
  return `${key || 'value'} ${number}`
}

const addressOf = (key: string) => `https://shop.example/${key}`

const unusable = (message: string, cause?: unknown) =>
  new PurveyorError('RECORDING_UNUSABLE', message, { cause })

/** The calls and steps of a recording in their order. Throws `RECORDING_UNUSABLE` that names the file. */
export function readRecording(folder: string): { name: string; call: RecordedCall | RecordedStep }[] {
  const names = reading(folder, 'folder', () => filesOf(folder))
  if (names.length === 0)
    throw unusable(`${folder} holds no recorded calls, such as 0001-shipment_methods.json.`)
  names.sort((one, other) => numberOf(one) - numberOf(other))
  return names.map((name) => {
    const file = join(folder, name)
    const text = reading(file, 'entry', () => readFileSync(file, 'utf8'))
    const call = z.union([recordedStep, recordedCall]).safeParse(jsonOrText(text))
    if (!call.success)
      throw unusable(`${file} is not a recorded call. Remove it, or record again with --record.`)
    return { name, call: call.data }
  })
}

function reading<T>(path: string, wanted: 'folder' | 'entry', read: () => T): T {
  try {
    return read()
  } catch (cause) {
    const fault = fileFault(path, (cause as NodeJS.ErrnoException).code, { wanted })
    throw unusable(`${wanted === 'folder' ? 'The recording ' : ''}${path} ${fault}.`, cause)
  }
}
