import { shopId as firstShop } from '../../messages/live.ts'
import { type CallKind, callKinds, failuresOf, kindOf, type LoggedCall } from './call-log.ts'

export type LogQuery = Partial<ReturnType<typeof readLogQuery>> & { failed: boolean; q: string }

const numberIn = (value: unknown): number | undefined => {
  const [, digits] = /^(?:ORD)?(\d{1,12})$/i.exec(String(value ?? '').trim()) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Reads the address of a log. An unknown kind filters nothing, and an order that cannot be read matches none. An order may be named by its number: `ORD01001`. */
export function readLogQuery(query: Record<string, unknown>) {
  const { kind, scenario, shop, order, failed, q, from, call } = query
  return {
    /** The name of a scenario: the calls of its last run instead of those of the shop. */
    scenario: typeof scenario === 'string' && /^[\w-]{1,100}$/.test(scenario) ? scenario : undefined,
    kind: Object.hasOwn(callKinds, String(kind)) ? (kind as CallKind) : undefined,
    // A number that nothing has, for a value that is none: it matches no call.
    shop: shop ? (numberIn(shop) ?? -1) : undefined,
    order: order ? (numberIn(order) ?? -1) : undefined,
    failed: failed === '1',
    /** Every word of it occurs in the call. */
    q: typeof q === 'string' ? q.trim().slice(0, 200) : '',
    /** The number of the first call of the page. */
    from: numberIn(from),
    call: numberIn(call),
  }
}

export function logAddress(query: Partial<LogQuery>, hash = ''): string {
  const fields = Object.entries(query).filter(([, value]) => value)
  const texts = Object.fromEntries(fields.map(([name, value]) => [name, value === true ? '1' : `${value}`]))
  const search = String(new URLSearchParams(texts))
  return `/log${search && `?${search}`}${hash}`
}

/** The calls of an order or a scenario are read from their beginning. */
export const isOldestFirst = ({ order, scenario }: Pick<LogQuery, 'order' | 'scenario'>): boolean =>
  order !== undefined || scenario !== undefined

const perPage = 50

/** One page of the calls that match: newest first, those of one order or scenario oldest first. `next` begins the next page. */
export function pageOfLog(calls: readonly LoggedCall[], query: LogQuery) {
  const { kind, shop, failed, q, from } = query
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (call: LoggedCall) =>
    (kind === undefined || kindOf(call) === kind) &&
    (shop === undefined || (call.shopId ?? firstShop) === shop) &&
    (!failed || failuresOf(call).length > 0) &&
    (words.length === 0 || holds(call, words))
  const matching = calls.filter(matches)
  // A call is noted when it has ended, and shown with the time at which it began.
  const asShown = matching.toSorted((one, other) => one.at - other.at || one.number - other.number)
  if (!isOldestFirst(query)) asShown.reverse()
  const start = asShown.findIndex(({ number }) => number === from)
  const rest = asShown.slice(Math.max(0, start))
  return { calls: rest.slice(0, perPage), matching: matching.length, next: rest[perPage]?.number }
}

function holds(call: LoggedCall, words: string[]): boolean {
  const { number, method, url, service, status, meaning, answer, orderId, ...rest } = call
  const kind = callKinds[kindOf(call)]
  const parts = [number, kind, method, url, service?.name, status, orderId, meaning, answer]
  const texts = [...parts, JSON.stringify([rest.faults, rest.explanation, rest.request])]
  const text = texts.join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}
