import { z } from 'zod'

/** The value that is read, or a `Fault`. The schema finds its place in the message. */
export type PlainRead = (value: unknown) => unknown

export class Fault {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** A schema holds its plain function; a schema that is made from it does not. */
const plainRead = Symbol('plain read')

/** Gives a schema the plain function that reads exactly what it reads. */
const readsPlainly = <T extends z.ZodType>(schema: T, read: PlainRead): T =>
  Object.defineProperty(schema, plainRead, { value: read })

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
export function plainReadOf(schema: z.ZodType): PlainRead {
  const known = (schema as { [plainRead]?: PlainRead })[plainRead]
  if (known) return known
  if (!(schema instanceof z.ZodObject) || schema.def.checks?.length || schema.def.catchall) {
    throw new TypeError('plainly() takes objects of readers, without checks of their own')
  }
  const read = plainReadOfShape(schema.shape)
  readsPlainly(schema, read)
  return read
}

// The one place where code is made from text. Messages are read on every call, and a fixed object literal is read in a third of the time of
// a loop over the names: `npm run -s bench -- http` shows the whole call with it (`purveyor`) and without (`by-zod`). The text holds the
// field names of our own schemas, and nothing of a message. A test holds that it reads exactly what zod reads, another that it is the only
// one.

/** A name without a special meaning in an object literal, unlike `__proto__`. */
const plainName = /^[a-z]\w*$/i

/** Reads an object of this shape. Throws a `TypeError` for a field whose name is more than letters, digits and `_`. */
function plainReadOfShape(shape: z.ZodRawShape): PlainRead {
  const names = Object.keys(shape)
  const odd = names.find((name) => !plainName.test(name))
  if (odd !== undefined) throw new TypeError(`plainly() takes no field named ${JSON.stringify(odd)}`)
  const reads = Object.values(shape).map((schema) => plainReadOf(schema as z.ZodType))
  const read = (name: string, at: number) =>
    `const v${at} = reads${at}(value.${name}); if (v${at} instanceof Fault) return v${at}`
  const source = `return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return notAnObject
    ${names.map(read).join('\n')}
    return { ${names.map((name, at) => `${name}: v${at}`).join(', ')} }
  }`
  const make = new Function('Fault', 'notAnObject', ...reads.map((_one, at) => `reads${at}`), source)
  return make(Fault, new Fault('must be an object'), ...reads)
}

// The readers of every kind of value.

export type Read<T> = (value: unknown) => T | undefined | Fault

export const isNoData = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

/** One value of a message as a schema. */
export const readBy = <T>(read: (value: unknown) => unknown) =>
  readsPlainly(
    z.transform((value: unknown, ctx): T => {
      const result = read(value)
      if (!(result instanceof Fault)) return result as T
      ctx.issues.push({ code: 'custom', message: result.message, input: value })
      return z.NEVER
    }),
    read,
  )

/** A field that may hold no data, read as `undefined`. */
export const optional = <T>(read: Read<T>) =>
  readBy<T | undefined>((value) => (isNoData(value) ? undefined : read(value)))

/** A field with a default for no data. */
export const withDefault = <T extends string | number>(read: Read<T>, whenNone: T) =>
  readBy<T>((value) => (isNoData(value) ? whenNone : (read(value) ?? whenNone)))

/** A field that the answer requires. */
export const required = <T>(read: Read<T>) =>
  readBy<T>((value) => (isNoData(value) ? missing : (read(value) ?? missing)))

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
