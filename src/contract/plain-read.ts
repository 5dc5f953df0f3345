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
export const readsPlainly = <T extends z.ZodType>(schema: T, read: PlainRead): T =>
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
// field names of our own schemas and nothing of a message. A test holds that it reads exactly what zod reads, another that it is the only one.

/** A name without a special meaning in an object literal, unlike `__proto__`. */
const plainName = /^[a-z]\w*$/i

/** Reads an object of this shape. Throws a `TypeError` for a field whose name is more than letters, digits and `_`. */
export function plainReadOfShape(shape: z.ZodRawShape): PlainRead {
  const names = Object.keys(shape)
  const odd = names.find((name) => !plainName.test(name))
  if (odd !== undefined) throw new TypeError(`plainly() takes no field named ${JSON.stringify(odd)}`)
  const reads = Object.values(shape).map((schema) => plainReadOf(schema as z.ZodType))
  const source = `return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return notAnObject
    ${names.map((name, at) => `const v${at} = reads${at}(value.${name}); if (v${at} instanceof Fault) return v${at}`).join('\n')}
    return { ${names.map((name, at) => `${name}: v${at}`).join(', ')} }
  }`
  const make = new Function('Fault', 'notAnObject', ...reads.map((_read, at) => `reads${at}`), source)
  return make(Fault, new Fault('must be an object'), ...reads)
}
