import type { z } from 'zod'
import type { TextKind } from './lengths.ts'
import { amount, flag, maybe, ofEachKind, optional, quantity, text, wire } from './values.ts'

type Fields = Record<string, { wire: z.ZodType; read: z.ZodType }>

/** One field of a message: as the spec allows it to be sent, and as it is read or written here. */
export const field = <Wire extends z.ZodType, Read extends z.ZodType>(wire: Wire, read: Read) => ({
  wire,
  read,
})

const ofEach =
  <Side extends 'wire' | 'read'>(side: Side) =>
  <Of extends Fields>(fields: Of) =>
    Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one[side]])) as {
      [Name in keyof Of]: Of[Name][Side]
    }

export const wireOf = ofEach('wire')
export const readOf = ofEach('read')

// Fields that may hold no data.
const textFields = ofEachKind((kind) => field(wire.text(kind), optional(text(kind))))
export const textField = (kind: TextKind) => textFields[kind]
export const amountField = field(maybe(wire.decimal), optional(amount))
export const quantityField = field(maybe(wire.integer), optional(quantity))
export const flagField = field(maybe(wire.flag), flag())
