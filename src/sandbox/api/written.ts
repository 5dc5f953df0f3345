import type { Request } from 'express'
import { cleanBody, Problem } from '../../contract/index.ts'
import { decimal, readDecimal } from '../../money/index.ts'
import { endpointFault } from '../state.ts'
import { ApiError, idOf } from './answers.ts'
import { apiLanguages, countryOf, languageOf } from './languages.ts'
import { timestamp } from './records.ts'
import type { Field, Fields } from './resources/row.ts'
import { isUpload } from './uploads.ts'

/**
 * The fields of a sent record, as JSON in its envelope (`{"product": {...}}`) or as form fields (`product[title]`). Without `one` the body
 * has no envelope. Fields that are `null` are left out: clients send it for each field that they have nothing to say about. Throws a 400
 * that names the envelope, or the fault of the body.
 */
export function fieldsOf(req: Request, one: string, alsoOne?: string): Record<string, unknown> {
  const fields = contentOf(req, one) ?? (alsoOne && contentOf(req, alsoOne))
  if (isObject(fields)) return withoutNull(fields)
  throw new ApiError(
    400,
    `The body has no "${one}". Send {"${one}": {...}} as JSON, <${one}>...</${one}> as XML, or form fields such as ${one}[title].`,
  )
}

const withoutNull = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The content of the envelope of a body. Throws a 400 with the fault of the body. */
function contentOf(req: Request, one: string): unknown {
  try {
    cleanBody(req.body)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new ApiError(400, `The body ${error.faults[0]?.message ?? 'cannot be read'}.`)
  }
  if (req.body === undefined && req.is('*/*') !== null && req.get('content-length') !== '0')
    throw new ApiError(415, 'The body is neither JSON nor XML nor form fields.')
  const body = req.body as Record<string, unknown> | undefined
  return body?.[one]
}

/** A record as a client wrote it, in the form that the sandbox keeps. */
export interface Written {
  fields: Record<string, unknown>
  /** Fields that the resource does not have: live platforms ignore them. */
  ignored: string[]
  /** Faults by the name of the field, as `must be a number`. */
  faults: Record<string, string>
}

/** Fields of the record of any resource. */
export const ofEveryRecord = ['id', 'createdAt', 'updatedAt', 'created_at', 'updated_at']

interface Options {
  /** Whether a record of a resource exists. Default: every one does. */
  exists?: (resource: string, id: number) => boolean
  /** Takes what follows from other fields too, and keeps unknown ones, as in a seed. */
  everything?: boolean
}

/** Reads the fields of a record: JSON values, or the text of a form. */
export function readWritten(fields: Fields, given: Record<string, unknown>, how: Options = {}): Written {
  const { exists = () => true, everything = false } = how
  const written: Written = { fields: {}, ignored: [], faults: {} }
  for (const [name, value] of Object.entries(given)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (ofEveryRecord.includes(name)) {
      if (everything) written.fields[name] = value
    } else if (!field) {
      if (everything) written.fields[name] = value
      else written.ignored.push(name)
    } else if (field.kind !== 'many' && (everything || !field.readonly)) {
      const read = readField(field, value, exists)
      if (!('fault' in read)) written.fields[name] = read.value
      // A saved record of a live shop may have words and forms of its own. Only figures are reckoned with.
      else if (everything && read.fault !== notNumber) written.fields[name] = value
      else written.faults[name] = read.fault
    }
  }
  return written
}

const notNumber = 'must be a number'

type Read = { value: unknown } | { fault: string }

const isNothing = (value: unknown) => value === undefined || value === null || value === false || value === ''

function readField(field: Field, value: unknown, exists: NonNullable<Options['exists']>): Read {
  switch (field.kind) {
    case 'text':
    case 'link':
      if (isNothing(value)) return { value: field.empty }
      return typeof value === 'string' || typeof value === 'number'
        ? { value: String(value) }
        : { fault: 'must be text' }
    case 'flag':
      return readFlag(value)
    case 'whole':
    case 'decimal':
      return readFigure(field, value)
    case 'choice':
      if (isNothing(value)) return { value: field.empty }
      return field.of.includes(String(value))
        ? { value: String(value) }
        : { fault: `must be one of ${field.of.filter((word) => word !== '').join(', ')}` }
    case 'time': {
      if (isNothing(value)) return { value: false }
      const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
      return Number.isNaN(at)
        ? { fault: 'must be a time, such as 2026-03-02T10:00:00+01:00' }
        : { value: timestamp(at) }
    }
    case 'country':
      return readCode(value, field.empty, countryOf, 'must be a country of the shop, such as nl')
    case 'language': {
      const codes = apiLanguages.map(({ code }) => code).join(', ')
      return readCode(value, field.empty, languageOf, `must be a language of the shop: ${codes}`)
    }
    case 'one':
      return readRelation(value, field.of, exists)
    case 'endpoint': {
      if (typeof value !== 'string') return { fault: 'must be an https address' }
      const fault = endpointFault(value)
      return fault === undefined ? { value } : { fault }
    }
    case 'upload':
      return typeof value === 'string' && isUpload(value)
        ? { value }
        : { fault: 'must be base64 text, or an https address' }
    case 'many':
    case 'data':
      return { value }
  }
}

function readFlag(value: unknown): Read {
  if (isNothing(value) || value === 0 || value === '0' || value === 'false') return { value: false }
  if (value === true || value === 1 || value === '1' || value === 'true') return { value: true }
  return { fault: 'must be true or false' }
}

function readFigure(field: Field & { kind: 'whole' | 'decimal' }, value: unknown): Read {
  if (isNothing(value)) return { value: field.empty }
  const text = readDecimal(typeof value === 'string' ? value.trim() : value)
  if (text === undefined || !Number.isFinite(Number(text))) return { fault: notNumber }
  const number = Number(decimal(text).toFixed(4))
  if (field.kind === 'decimal') return { value: number }
  return Number.isSafeInteger(number) && !text.includes('.')
    ? { value: number }
    : { fault: 'must be a whole number' }
}

function readCode(
  value: unknown,
  empty: unknown,
  find: (given: unknown) => { code: string } | undefined,
  fault: string,
): Read {
  if (isNothing(value)) return { value: empty }
  const given =
    typeof value === 'object' ? ((value as { code?: unknown; id?: unknown }).code ?? idIn(value)) : value
  const found = find(given)
  return found ? { value: found.code } : { fault }
}

/** `12`, `{ "id": 12 }` or `{ "resource": { "id": 12 } }`. */
function readRelation(value: unknown, resource: string, exists: NonNullable<Options['exists']>): Read {
  if (isNothing(value) || value === 0 || value === '0' || value === 'false') return { value: false }
  const given = typeof value === 'object' ? idIn(value) : value
  if (given === false) return { value: false }
  const id = idOf(given)
  return Number.isNaN(id) || !exists(resource, id)
    ? { fault: `must be the id of a record of ${resource}` }
    : { value: id }
}

function idIn(value: unknown): unknown {
  const { id, resource } = value as { id?: unknown; resource?: { id?: unknown } }
  return id ?? resource?.id ?? (resource as unknown)
}
