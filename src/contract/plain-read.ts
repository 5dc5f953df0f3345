import { z } from 'zod'

/** The value that is read, or a `Fault`. The schema finds its place in the message. */
type PlainRead = (value: unknown) => unknown

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

const notAnObject = new Fault('must be an object')

/** Reads an object of this shape. */
export function plainReadOfShape(shape: z.ZodRawShape): PlainRead {
  const fields = Object.entries(shape).map(
    ([name, field]) => [name, plainReadOf(field as z.ZodType)] as const,
  )
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return notAnObject
    const object: Record<string, unknown> = {}
    for (const [name, readField] of fields) {
      const result = readField((value as Record<string, unknown>)[name])
      if (result instanceof Fault) return result
      object[name] = result
    }
    return object
  }
}
