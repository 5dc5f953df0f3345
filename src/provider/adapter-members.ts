import { z } from 'zod'
import { needableFields } from '../adapters/call-adapter.ts'
import { measures } from '../adapters/units.ts'
import {
  anyOption,
  didYouMean,
  each,
  functionOption,
  nearest,
  optionFaults,
  optionGroup,
} from '../checked-options.ts'
import type { PaymentAdapter } from '../payments/adapter.ts'
import { isTolerance } from '../payments/check-start.ts'
import { mostForms } from '../payments/pages/page-form.ts'
import type { RateAdapter } from '../rates/adapter.ts'

// In JavaScript too, refuses members that the types of rateAdapter() and paymentAdapter() refuse in TypeScript.

const text = z.string('must be text').min(1, 'must not be empty')
const method = functionOption.unwrap()
const tooMany = `must be from 1 to ${mostForms}`
const tolerance = "must be an amount of 0 or more as text, such as '0.50', or a function"
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
/** Whether a value has this function. */
export const has = (value: unknown, member: string): boolean => typeof Object(value)[member] === 'function'
const flag = z.boolean('must be true or false').optional()
const confirmed = {
  verify: anyOption,
  read: anyOption,
  confirm: z.literal('status', "must be 'status'").optional(),
}
const returned = z.object(confirmed)
const push = z.object({ ...confirmed, answer: anyOption, challenge: functionOption, owner: functionOption })
const notNegative = 'must be a number of milliseconds, 0 or more'
const cache = z.object(
  {
    ...each(z.number(notNegative).min(0, notNegative).optional(), 'ttl', 'staleFor', 'noneTtl'),
    key: functionOption,
  },
  'must be an object such as { ttl: 60_000 }',
)
const page = z.object(
  {
    ...{ render: method, submit: functionOption, lines: functionOption, follows: flag },
    ...{ allow: anyOption, assets: anyOption, texts: anyOption },
    mostForms: z.int('must be a whole number').min(1, tooMany).max(mostForms, tooMany).optional(),
  },
  'must be an object with render()',
)
const idempotency = z.object(
  { ttl: z.number('must be a number of milliseconds').positive('must be above 0') },
  'must be an object such as { ttl: 86_400_000 }',
)
/** A value that is no object is a fault of check-adapters.ts. */
const ifObject = (schema: z.ZodType) =>
  z.preprocess((value) => (isObject(value) ? value : undefined), schema.optional())

/** Members whose members are checked too. */
const inner: Record<string, z.ZodObject> = { cache, push, page, returned, idempotency }

/** Checked in check-adapters.ts. */
const elsewhere = anyOption
const ofBoth = {
  ...{ name: elsewhere, needs: elsewhere, network: elsewhere, developmentOnly: flag },
  settings: z.custom((value) => has(value, 'safeParse'), 'must be a schema of zod').optional(),
  privacy: optionGroup({ recipient: text, purpose: text.optional(), keptFor: text.optional() }).optional(),
}

/** All members of adapters, with their values. */
const members = {
  rates: z.object({
    ...ofBoth,
    ...{ quote: elsewhere, allowNegative: anyOption, prepare: functionOption, promises: functionOption },
    estimate: z
      .union([z.literal('quote'), method], "must be a function, or 'quote' to use quote()")
      .optional(),
    sendsTo: z.array(text, 'must be a list of hosts or recipients').optional(),
    settingsName: text.optional(),
    files: z
      .custom((value) => has(value, 'look') && has(value, 'list'), 'must have look() and list()')
      .optional(),
    measures: z
      .array(z.enum(measures, `must be one of ${measures.join(', ')}`), 'must be a list of measures')
      .optional(),
    // Its members are checked as those of an adapter.
    fallback: z.custom(isObject, 'must be an adapter').optional(),
    cache: z.preprocess((value) => value || undefined, cache.optional()),
  } satisfies Record<keyof RateAdapter, z.ZodType>),
  payments: z.object({
    ...ofBoth,
    ...{ methods: elsewhere, start: elsewhere, brand: anyOption, wellKnown: anyOption },
    ...{ status: functionOption, cancel: functionOption, find: functionOption },
    ...{ refund: functionOption, capture: functionOption },
    ...{ authorisedIsPaid: flag, startsAtZero: flag },
    mode: z.union([z.enum(['live', 'test']), method], "must be 'live', 'test' or a function").optional(),
    idempotency: idempotency.optional(),
    returned: ifObject(returned),
    push: ifObject(push),
    page: page.optional(),
    underpaidBy: z.custom((value) => typeof value === 'function' || isTolerance(value), tolerance).optional(),
    asksPerDay: z.int('must be a whole number').positive('must be above 0').optional(),
  } satisfies Record<keyof PaymentAdapter, z.ZodType>),
}

export function* valueFaults(option: 'rates' | 'payments', adapter: { name: string }): Generator<string> {
  for (const { path, message } of optionFaults(members[option], adapter))
    yield `${option}: ${path} of "${adapter.name}" ${message}`
}

/** The members that look like mistyped ones. An adapter may have members of its own. */
export function* memberFaults(option: 'rates' | 'payments', adapter: { name: string }): Generator<string> {
  const known = Object.keys(members[option].shape)
  const where = `${option}: adapter "${adapter.name}"`
  yield* mistypedIn(where, adapter, known, option === 'payments' ? otherWords : {})
  for (const member of known) {
    const value = (adapter as Record<string, unknown>)[member]
    const names = inner[member] && Object.keys(inner[member].shape)
    if (!names || typeof value !== 'object' || value === null) continue
    const place = `${member} of ${where}`
    if (member !== 'cache') yield* mistypedIn(place, value, names)
    // No adapter has members of its own here.
    else
      for (const one of Object.keys(value).filter((one) => !names.includes(one)))
        yield `${place} has no member ${one}: ${didYouMean(one, names)}`
  }
}

function* mistypedIn(
  where: string,
  given: object,
  known: readonly string[],
  other: Record<string, string> = {},
): Generator<string> {
  for (const member of membersOf(given)) {
    if (known.includes(member)) continue
    const meant = Object.hasOwn(other, member) ? other[member] : mistyped(member, known)
    if (meant === undefined || meant in given) continue
    yield `${where} has no member ${member}: did you mean ${meant}? Rename it if it is a member of your own`
  }
}

/** Short words are similar by chance, so the first letter must match, and of four letters one may differ or be swapped. */
function mistyped(member: string, known: readonly string[]): string | undefined {
  const alike = known.filter((one) => one.charAt(0) === member.charAt(0).toLowerCase())
  const lettersOf = (word: string) => [...word.toLowerCase()].sort().join('')
  const swapped = alike.find((one) => lettersOf(one) === lettersOf(member))
  return swapped ?? nearest(member, alike, ({ length }) => Math.floor(length / 4))
}

/** Also those of a class: methods of a prototype are not listed by `for in`. */
function* membersOf(given: object): Generator<string> {
  let at: object | null = given
  while (at !== null && at !== Object.prototype) {
    yield* Object.getOwnPropertyNames(at)
    at = Object.getPrototypeOf(at) as object | null
  }
}

const allNeeds = Object.entries(needableFields).flatMap(([part, names]) =>
  names.map((name) => `${part}.${name}`),
)

/** The needs that name no field of a customer or an address. */
export function* needFaults(
  option: string,
  { name, needs }: { name: string; needs?: unknown },
): Generator<string> {
  if (needs === undefined) return
  if (!Array.isArray(needs)) yield `${option}: needs of "${name}" must be a list, such as ['customer.email']`
  else
    for (const need of (needs as unknown[]).filter((one) => !allNeeds.includes(one as string))) {
      const [part = '', field] = String(need).split('.')
      const fields = new Map<string, readonly string[]>(Object.entries(needableFields)).get(part)
      const unknown = `${option}: adapter "${name}" needs "${need}", and there is no such field`
      yield fields && field !== undefined
        ? `${unknown} of ${part}: ${didYouMean(field, fields)}`
        : `${unknown}: ${meant(String(need))}`
    }
}

function meant(need: string): string {
  const [field, part = ''] = need.split('.').reverse()
  const near =
    (part === '' ? undefined : nearest(need, allNeeds)) ??
    // The field of a part that is left out, or named in short such as `address` or `billing`.
    allNeeds.findLast(
      (one) => one.endsWith(`${part}.${field}`) || (one.startsWith(part) && one.endsWith(`.${field}`)),
    )
  return near === undefined ? 'a need looks like "customer.email"' : `did you mean ${near}?`
}

/** Names that a member of a payment adapter has in other frameworks. */
const otherWords: Record<string, string> = {
  notifications: 'push',
  notification: 'push',
  pushes: 'push',
  onPush: 'push',
  webhook: 'push',
  webhooks: 'push',
}
