import { z } from 'zod'
import { type Need, needableFields, personalNeeds } from '../adapters/call-adapter.ts'
import { measures } from '../adapters/units.ts'
import { anyOption, each, functionOption, nearest, optionFaults, optionGroup } from '../checked-options.ts'
import { PrivateNetwork } from '../network/private-network.ts'
import type { PaymentAdapter } from '../payments/adapter.ts'
import { isTolerance } from '../payments/check-start.ts'
import { mostForms } from '../payments/pages/page-form.ts'
import type { RateAdapter } from '../rates/adapter.ts'

// In JavaScript too, refuses members that the types of rateAdapter() and paymentAdapter() refuse in TypeScript.

const text = z.string('must be text').min(1, 'must not be empty')
const method = z.custom((value) => typeof value === 'function', {
  error: ({ input }) => (input === undefined ? 'is missing' : 'must be a function'),
})
const tooMany = `must be from 1 to ${mostForms}`
const tolerance = "must be an amount of 0 or more as text, such as '0.50', or a function"
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
/** Whether a value has these functions. */
export const has = (value: unknown, ...members: string[]): boolean =>
  members.every((member) => typeof Object(value)[member] === 'function')
const flag = z.boolean('must be true or false').optional()

const allNeeds = Object.entries(needableFields).flatMap(([part, names]) =>
  names.map((name) => `${part}.${name}`),
)

/** The need that was meant: one that is spelled alike, or the field of a part that is left out or named in short, such as `billing`. */
function needMeant(need: string): string {
  const field = need.split('.').at(-1)
  const alike = need.includes('.') ? nearest(need, allNeeds) : undefined
  const near = alike ?? allNeeds.findLast((one) => one.endsWith(`.${field}`))
  return near === undefined ? 'a need looks like "customer.email"' : `did you mean ${near}?`
}

const needs = z.array(
  z.custom((need) => allNeeds.includes(need as string), {
    error: ({ input }) => `is "${input}", and there is no such field: ${needMeant(String(input))}`,
  }),
  "must be a list, such as ['customer.email']",
)

const answerSizes = { least: 1024, most: 256 * 1024 * 1024 }
const bytes = `must be a number of bytes, ${answerSizes.least} to ${answerSizes.most}`
const network = optionGroup({
  allow: anyOption,
  maxAnswer: z.int(bytes).min(answerSizes.least, bytes).max(answerSizes.most, bytes).optional(),
}).superRefine(({ allow = [] }, { addIssue }) => {
  for (const fault of PrivateNetwork.faultsOf(allow)) addIssue(fault)
})

/** A part of an adapter, which may have members of its own too. */
const partOf = (shape: z.ZodRawShape) => optionGroup(shape).strip()

/** Anyone can push, and anyone can come back as a customer: what is read must be verified, or confirmed at the payment service. */
const readerOf = (more: z.ZodRawShape) =>
  partOf({
    ...more,
    ...{ verify: functionOption, read: method },
    confirm: z.literal('status', "must be 'status'").optional(),
  }).refine(
    ({ verify, confirm }) => verify !== undefined || confirm !== undefined,
    "needs verify(), or confirm: 'status'",
  )
const returned = readerOf({})
const push = readerOf({ answer: anyOption, challenge: functionOption, owner: functionOption })

const duration = 'must be a number of milliseconds, 0 or more'
const notNegative = z.number(duration).min(0, duration)
const cache = optionGroup(
  { ttl: notNegative, ...each(notNegative.optional(), 'staleFor', 'noneTtl'), key: functionOption },
  'must be an object such as { ttl: 60_000 }',
)
const page = partOf({
  ...{ render: method, submit: functionOption, lines: functionOption, follows: flag },
  ...{ allow: anyOption, assets: anyOption, texts: anyOption },
  mostForms: z.int('must be a whole number').min(1, tooMany).max(mostForms, tooMany).optional(),
})
const idempotency = z.object(
  { ttl: z.number('must be a number of milliseconds').positive('must be above 0') },
  'must be an object such as { ttl: 86_400_000 }',
)

const ofBoth = {
  ...{ name: anyOption, needs: needs.optional(), network: network.optional(), developmentOnly: flag },
  settings: z.custom((value) => has(value, 'safeParse'), 'must be a schema of zod').optional(),
  privacy: optionGroup({ recipient: text, purpose: text.optional(), keptFor: text.optional() }).optional(),
}

/** All members of adapters, with their values. */
const members = {
  rates: z.object({
    ...ofBoth,
    ...{ quote: method, allowNegative: anyOption, prepare: functionOption, promises: functionOption },
    estimate: z
      .union([z.literal('quote'), method], "must be a function, or 'quote' to use quote()")
      .optional(),
    sendsTo: z.array(text, 'must be a list of hosts or recipients').optional(),
    settingsName: text.optional(),
    files: z.custom((value) => has(value, 'look', 'list'), 'must have look() and list()').optional(),
    measures: z
      .array(z.enum(measures, `must be one of ${measures.join(', ')}`), 'must be a list of measures')
      .optional(),
    // Its members are checked as those of an adapter.
    fallback: z.custom(isObject, 'must be an adapter').optional(),
    cache: z.preprocess((value) => value || undefined, cache.optional()),
  } satisfies Record<keyof RateAdapter, z.ZodType>),
  payments: z.object({
    ...ofBoth,
    ...{ methods: method, start: method, brand: anyOption, wellKnown: anyOption },
    ...{ status: functionOption, cancel: functionOption, find: functionOption },
    ...{ refund: functionOption, capture: functionOption },
    ...{ authorisedIsPaid: flag, startsAtZero: flag },
    mode: z.union([z.enum(['live', 'test']), method], "must be 'live', 'test' or a function").optional(),
    idempotency: idempotency.optional(),
    ...{ returned: returned.optional(), push: push.optional(), page: page.optional() },
    underpaidBy: z.custom((value) => typeof value === 'function' || isTolerance(value), tolerance).optional(),
    asksPerDay: z.int('must be a whole number').positive('must be above 0').optional(),
  } satisfies Record<keyof PaymentAdapter, z.ZodType>),
}

/** Rules for several members. */
const schemas = {
  rates: members.rates.superRefine(({ cache, needs = [] }, { addIssue }) => {
    const personal = cache && !cache.key ? personalNeeds(needs as Need[]) : []
    const message = `needs cache.key(), because no two requests are equal in ${personal.join(', ')}. Give one, or no cache`
    if (personal.length > 0) addIssue({ code: 'custom', path: ['cache'], message })
  }),
  payments: members.payments.superRefine((adapter, { addIssue }) => {
    const { push, returned, page, status, developmentOnly, mode } = adapter
    const isTest = 'is test, because it is developmentOnly: remove it'
    if (developmentOnly && mode === 'live') addIssue({ code: 'custom', path: ['mode'], message: isTest })
    if (status) return
    const asking = { 'push.confirm': push?.confirm, 'returned.confirm': returned?.confirm }
    for (const [member, asks] of Object.entries({ ...asking, 'page.follows': page?.follows }))
      if (asks) addIssue({ code: 'custom', path: [member], message: 'needs status()' })
  }),
}

/** The parts of an adapter that may have members of their own, as the adapter itself. */
const parts = { rates: {}, payments: { returned, push, page } }

/** The faults of the members of an adapter, and those that look like mistyped ones: it may have members of its own. */
export function* memberFaults(option: 'rates' | 'payments', adapter: { name: string }): Generator<string> {
  const meant = new Map(mistypedIn(adapter, Object.keys(members[option].shape), option === 'payments'))
  for (const [part, { shape }] of Object.entries<z.ZodObject>(parts[option])) {
    const given = (adapter as Record<string, unknown>)[part]
    if (isObject(given))
      for (const [one, other] of mistypedIn(given as object, Object.keys(shape)))
        meant.set(`${part}.${one}`, `${part}.${other}`)
  }
  for (const [one, other] of meant)
    yield `${option}: adapter "${adapter.name}" has no member ${one}: did you mean ${other}? Rename it if it is a member of your own`
  // One fault for one mistake.
  const taken = [...meant.values()]
  for (const { path = '', message } of optionFaults(schemas[option], adapter))
    if (!taken.some((one) => one === path || one.startsWith(`${path}.`)))
      yield `${option}: ${path} of "${adapter.name}" ${message}`
}

/** Members that look like mistyped ones, with those that were meant. Also those of a class: its methods are members of its prototype. */
function* mistypedIn(given: object, known: readonly string[], mayPush = false): Generator<[string, string]> {
  for (let at: object | null = given; at && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const member of Object.getOwnPropertyNames(at)) {
      if (known.includes(member)) continue
      const isPush = mayPush && /^(on)?push(es)?$|^(notification|webhook)s?$/i.test(member)
      const meant = isPush ? 'push' : mistyped(member, known)
      if (meant !== undefined && !(meant in given)) yield [member, meant]
    }
}

/** Short words are similar by chance, so the first letter must match, and of four letters one may differ or be swapped. */
function mistyped(member: string, known: readonly string[]): string | undefined {
  const alike = known.filter((one) => one.charAt(0) === member.charAt(0).toLowerCase())
  const lettersOf = (word: string) => [...word.toLowerCase()].sort().join('')
  const swapped = alike.find((one) => lettersOf(one) === lettersOf(member))
  return swapped ?? nearest(member, alike, ({ length }) => Math.floor(length / 4))
}
