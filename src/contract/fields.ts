import { z } from 'zod'
import { optional } from './plain-read.ts'
import {
  amount,
  fits,
  flag,
  idText,
  lengths,
  MAX_AMOUNT,
  MAX_URL_LENGTH,
  quantity,
  type TextKind,
  text,
} from './values.ts'

// Two schemas for every value of the contract (spec 2.4):
// - `wire`: exactly what the spec allows to be sent, no transforms.
// - readers: everything we accept, turned into one clean shape. "No data" is '', null, false, [] or a missing key.

const nothing = z.union([z.null(), z.literal(false)])

/** One of each for every kind of text: each stands in many messages, and takes as long to make as a hundred of them to read. */
const ofEachKind = <T>(make: (kind: TextKind) => T): Record<TextKind, T> =>
  Object.fromEntries(Object.keys(lengths).map((kind) => [kind, make(kind as TextKind)])) as Record<
    TextKind,
    T
  >

/** Text of one kind. It states its longest length in OpenAPI, counted as the reader counts it. */
const texts = ofEachKind((kind) => {
  const { most, cut } = lengths[kind]
  return z
    .string()
    .refine(fits(most), `must be text of at most ${most} characters`)
    .meta(cut ? { maxLength: most, description: 'A longer text is cut.' } : { maxLength: most })
})
const maybeTexts = ofEachKind((kind) => z.union([texts[kind], nothing]).optional())

/** The wire's building blocks, free of transforms. */
export const wire = {
  id: z.int().nonnegative(),
  identifier: z.union([z.string().regex(idText), z.int().nonnegative()]),
  text: (kind: TextKind) => maybeTexts[kind],
  /** For fields that require data. */
  requiredText: (kind: TextKind) => texts[kind],
  /** House numbers come as text or as an integer. */
  textOrInteger: (kind: TextKind) => z.union([texts[kind], z.int(), nothing]).optional(),
  decimal: z.union([
    z.number().min(-MAX_AMOUNT).max(MAX_AMOUNT),
    z.string().regex(/^-?\d{1,12}(\.\d{1,4})?$/),
  ]),
  decimalFromZero: z.union([
    z.number().nonnegative().max(MAX_AMOUNT),
    z.string().regex(/^\d{1,12}(\.\d{1,4})?$/),
  ]),
  integer: z.int(),
  flag: z.union([z.boolean(), z.literal(0), z.literal(1)]),
  language: z.string().regex(/^[a-z]{2}$/),
  currency: z.string().regex(/^[a-z]{3}$/),
  country: z.union([z.string().regex(/^[a-z]{2}$/), z.literal(''), nothing]).optional(),
  url: z
    .string()
    .max(MAX_URL_LENGTH)
    .regex(/^https?:\/\/[^\s\\/?#@\p{Cc}]+([/?#][^\s\\\p{Cc}]*)?$/u)
    .refine(URL.canParse, 'must be an absolute http or https address'),
  timestamp: z.union([z.iso.datetime({ offset: true }), z.literal(''), nothing]).optional(),
}

/** Marks a field as one that may hold no data: '', null, false or missing. */
export const maybe = <T extends z.ZodType>(schema: T) => z.union([schema, z.literal(''), nothing]).optional()

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

/** The personal fields of a message to read; all of a part that is not named. */
export interface PersonalFields {
  customer?: readonly string[]
  billing_address?: readonly string[]
  shipping_address?: readonly string[]
}

/** The named fields. The type keeps all of them: callers know the ones they named. */
export const only = <Shape extends object>(shape: Shape, names: readonly string[] | undefined): Shape =>
  names
    ? (Object.fromEntries(Object.entries(shape).filter(([name]) => names.includes(name))) as Shape)
    : shape
