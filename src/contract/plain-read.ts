import { z } from 'zod'

/** The value that is read, or a `Fault`. The schema finds its place in the message. */
export type PlainRead = (value: unknown) => unknown

export class Fault {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/**
 * Usual values that generated code reads without a call of the plain function, as JavaScript about `v`. It reads them exactly as the
 * function does.
 */
export interface QuickRead {
  /** The reading of no data: of `undefined`, `null`, `''` and `false`. Not set where that is a fault. */
  none?: string
  /** The condition of further values, and their reading. */
  when?: string
  as?: string
}

/** A schema holds its plain function; a schema that is made from it does not. */
const plainRead = Symbol('plain read')
interface Plain {
  read: PlainRead
  quick: QuickRead | undefined
}

/** Gives a schema the plain function that reads exactly what it reads. */
const readsPlainly = <T extends z.ZodType>(schema: T, read: PlainRead, quick?: QuickRead): T =>
  Object.defineProperty(schema, plainRead, { value: { read, quick } satisfies Plain })

/**
 * The same schema, read by plain functions, because zod creates several objects for every field of a message and of every product in it. A
 * message with a fault is read again by zod, which names the place.
 */
export function plainly<T extends z.ZodType>(schema: T): T {
  // If code from text is forbidden, zod reads.
  if (!z.util.allowsEval.value) return schema
  const read = plainReadOf(schema)
  return z.withParser(schema, (value) => {
    const result = read(value)
    return result instanceof Fault ? z.INVALID : (result as z.output<T>)
  })
}

/** Throws a `TypeError` for a schema without a plain function. */
export const plainReadOf = (schema: z.ZodType): PlainRead => plainOf(schema).read

function plainOf(schema: z.ZodType): Plain {
  const known = (schema as { [plainRead]?: Plain })[plainRead]
  if (known) return known
  if (!(schema instanceof z.ZodObject) || schema.def.checks?.length || schema.def.catchall) {
    throw new TypeError('plainly() takes objects of readers, without checks of their own')
  }
  const read = plainReadOfShape(schema.shape)
  readsPlainly(schema, read)
  return { read, quick: undefined }
}

// The one place where code is made from text. Messages are read on every call, and a fixed object literal is read in a third of the time of
// a loop over the names: `npm run -s bench -- http` shows the whole call with it (`purveyor`) and without (`by-zod`). The text holds the
// field names and the quick reads of our own schemas, and nothing of a message. A test holds that it reads exactly what zod reads, another
// that it is the only one.

/** A name without a special meaning in an object literal, unlike `__proto__`. */
const plainName = /^[a-z]\w*$/i

/** Reads an object of this shape. Throws a `TypeError` for a field whose name is more than letters, digits and `_`. */
function plainReadOfShape(shape: z.ZodRawShape): PlainRead {
  const names = Object.keys(shape)
  const odd = names.find((name) => !plainName.test(name))
  if (odd !== undefined) throw new TypeError(`plainly() takes no field named ${JSON.stringify(odd)}`)
  const plain = Object.values(shape).map((schema) => plainOf(schema as z.ZodType))
  const source = `return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return notAnObject
    let v
    ${names.map((name, at) => `v = value.${name}; let v${at}; ${readSource(`v${at}`, `reads${at}`, plain[at]!.quick)}`).join('\n')}
    return { ${names.map((name, at) => `${name}: v${at}`).join(', ')} }
  }`
  const make = new Function('Fault', 'notAnObject', ...plain.map((_one, at) => `reads${at}`), source)
  return make(Fault, new Fault('must be an object'), ...plain.map(({ read }) => read))
}

/** Statements that set a variable to the reading of `v`, or return its fault. */
function readSource(variable: string, read: string, { none, when, as = 'v' }: QuickRead = {}): string {
  const call = `{ ${variable} = ${read}(v); if (${variable} instanceof Fault) return ${variable} }`
  const branches = [
    when !== undefined && `if (${when}) ${variable} = ${as}`,
    none !== undefined &&
      `if (v === undefined || v === null || v === '' || v === false) ${variable} = ${none}`,
    call,
  ]
  return branches.filter(Boolean).join('; else ')
}

// The readers of every kind of value.

export interface Read<T> {
  (value: unknown): T | undefined | Fault
  /** Of values that are no `''`, `null` or `false`. */
  quick?: Pick<QuickRead, 'when' | 'as'>
}

/** Notes which values generated code reads as `as` says, without this function. */
export const quickly = <T>(read: Read<T>, when: string, as = 'v'): Read<T> =>
  Object.assign(read, { quick: { when, as } })

export const isNoData = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

/** One value of a message as a schema. */
export const readBy = <T>(read: (value: unknown) => unknown, quick?: QuickRead) =>
  readsPlainly(
    z.transform((value: unknown, ctx): T => {
      const result = read(value)
      if (!(result instanceof Fault)) return result as T
      ctx.issues.push({ code: 'custom', message: result.message, input: value })
      return z.NEVER
    }),
    read,
    quick,
  )

/** A field that may hold no data, read as `undefined`. */
export const optional = <T>(read: Read<T>) =>
  readBy<T | undefined>((value) => (isNoData(value) ? undefined : read(value)), {
    none: 'undefined',
    ...read.quick,
  })

/** A field with a default for no data. */
export const withDefault = <T extends string | number>(read: Read<T>, whenNone: T) =>
  readBy<T>((value) => (isNoData(value) ? whenNone : (read(value) ?? whenNone)), {
    none: JSON.stringify(whenNone),
    ...read.quick,
  })

/** A field that the answer requires. */
export const required = <T>(read: Read<T>) =>
  readBy<T>((value) => (isNoData(value) ? missing : (read(value) ?? missing)), read.quick)

const missing = new Fault('is missing')

/** An object; no data is an empty one. PHP writes an empty object as `[]`. */
export const objectOf = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const object = (value: unknown) => (isNoData(value) ? {} : value)
  const read = plainReadOfShape(shape)
  return readsPlainly(z.preprocess(object, z.object(shape)), (value) => read(object(value)))
}

/** A list of at most `most`. No data is an empty list, and PHP writes a list with gaps as an object keyed by number. */
export const listOf = <T extends z.ZodType>(schema: T, most: number) => {
  const tooMany = new Fault(`must be a list of at most ${most}`)
  const list = (value: unknown): unknown => {
    if (isNoData(value)) return []
    if (Array.isArray(value) || typeof value !== 'object' || value === null) return value
    return Object.keys(value).every((key) => /^\d+$/.test(key)) ? Object.values(value) : value
  }
  // Checked before the items are read, so that faults in a hundred thousand of them are never collected.
  const counted = (value: unknown, ctx: z.core.$RefinementCtx): unknown => {
    const given = list(value)
    if (!Array.isArray(given) || given.length <= most) return given
    ctx.issues.push({ code: 'custom', message: tooMany.message, input: value })
    return z.NEVER
  }
  const read = plainReadOf(schema)
  return readsPlainly(z.preprocess(counted, z.array(schema)), (value) => {
    const given = list(value)
    if (!Array.isArray(given)) return new Fault('must be a list')
    if (given.length > most) return tooMany
    const items: unknown[] = []
    for (const one of given) {
      const item = read(one)
      if (item instanceof Fault) return item
      items.push(item)
    }
    return items
  })
}
