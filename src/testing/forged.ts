import { jsonIn } from '../contract/texts.ts'
import { wrongCall } from '../errors/errors.ts'
import type { PaymentPush } from '../payments/adapter-context.ts'

/** A forged push, with the change that made it. */
export interface ForgedPush {
  how: string
  push: PaymentPush
}

const flipped = (body: Buffer, at: number) => Buffer.from(body.with(at, body[at]! ^ 1))

/** Another value of a part; `undefined` removes it. */
type To = (value: string) => string | undefined

const altered: To = (value) => `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`
const ways: Readonly<Record<string, To>> = {
  changed: altered,
  emptied: () => '',
  removed: () => undefined,
  'of another length': (value) => `${value}00`,
}

function withField(text: string, name: string, to: To): string {
  const fields = new URLSearchParams(text)
  const value = to(fields.get(name)!)
  if (value === undefined) fields.delete(name)
  else fields.set(name, value)
  return String(fields)
}

function partsOf({ body, headers, query }: PaymentPush): Map<string, (to: To) => Partial<PaymentPush>> {
  const parts = new Map<string, (to: To) => Partial<PaymentPush>>()
  for (const [name, value] of Object.entries(headers))
    parts.set(`header ${name}`, (to) => ({ headers: { ...headers, [name]: to(value)! } }))
  for (const name of new URLSearchParams(query).keys())
    parts.set(`query ${name}`, (to) => ({ query: withField(query, name, to) }))
  const text = body.toString()
  const json = jsonIn(text)
  const leaves = (value: unknown, names: readonly string[]): void => {
    for (const [name, inner] of Object.entries(Object(value))) {
      const path = [...names, name]
      if (typeof inner === 'object' && inner !== null) leaves(inner, path)
      else
        parts.set(`body ${path.join('.')}`, (to) => {
          const copy = structuredClone(json)
          let place = copy as Record<string, unknown>
          for (const one of names) place = place[one] as Record<string, unknown>
          place[name] = to(String(inner))
          return { body: Buffer.from(JSON.stringify(copy)) }
        })
    }
  }
  if (json !== undefined) leaves(json, [])
  else
    for (const name of new URLSearchParams(text).keys())
      parts.set(`body ${name}`, (to) => ({ body: Buffer.from(withField(text, name, to)) }))
  return parts
}

const madeFrom = (genuine: PaymentPush) => (how: string, change: Partial<PaymentPush>) => ({
  how,
  push: { ...genuine, ...change },
})

/** The pushes in which a part is changed that `signs` names, and those in which one is that it does not name. */
export function changedPushes(
  genuine: PaymentPush,
  signs: readonly string[],
): { signed: ForgedPush[]; unsigned: ForgedPush[] } {
  const parts = partsOf(genuine)
  const known = ['body', ...parts.keys()]
  const unknown = signs.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw wrongCall(`signs: "${unknown}" is not a part of the push: it has ${known.join(', ')}`)
  const isSigned = (name: string) =>
    signs.includes(name) || (signs.includes('body') && name.startsWith('body '))
  const { signed = [], unsigned = [] } = Object.groupBy(parts, ([name]) =>
    isSigned(name) ? 'signed' : 'unsigned',
  )
  const made = madeFrom(genuine)
  return {
    signed: signed.flatMap(([name, change]) =>
      Object.entries(ways).map(([way, to]) => made(`${name} ${way}`, change(to))),
    ),
    unsigned: unsigned.map(([name, change]) => made(`${name} changed`, change(altered))),
  }
}

/** All forgeries of a genuine push: flipped bits, headers removed and changed, the body cut and emptied; with `signs` only of these parts. */
export function forgedPushes(genuine: PaymentPush, signs?: readonly string[]): ForgedPush[] {
  const { body, headers, query } = Object(genuine) as PaymentPush
  if (!Buffer.isBuffer(body) || typeof headers !== 'object' || headers === null)
    throw wrongCall('forgedPushes() takes a push such as { body: Buffer, headers, query }')
  if (signs) return changedPushes(genuine, signs).signed
  const places = [...new Set([0, body.length >> 2, body.length >> 1, body.length - 1])].filter(
    (at) => at in body,
  )
  const signing = Object.keys(headers).filter((name) => /sign|hmac|digest|auth|token|hook/i.test(name))
  const ofSignatures = signing.map((name) => `header ${name}`)
  const made = madeFrom(genuine)
  return [
    ...places.map((at) => made(`one bit of byte ${at} flipped`, { body: flipped(body, at) })),
    made('a byte added', { body: Buffer.concat([body, Buffer.from(' ')]) }),
    made('cut in half', { body: body.subarray(0, body.length >> 1) }),
    made('emptied', { body: Buffer.alloc(0) }),
    made('without headers', { headers: {} }),
    ...changedPushes(genuine, ofSignatures).signed,
    ...(query === '' ? [] : [made('without its query', { query: '' })]),
  ]
}
