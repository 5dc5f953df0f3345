import { isDeepStrictEqual } from 'node:util'
import type { LoggedCall } from '../call-log.ts'
import { jsonOrText, type RecordedCall, readRecording } from './record.ts'

/** A difference between an answer and its recording. */
export interface Difference {
  path: string
  recorded: unknown
  answered: unknown
}

/** A recorded call that was sent again, and what was answered otherwise. */
export interface ReplayedCall {
  name: string
  method: string
  path: string
  differences: Difference[]
}

/** Another attempt has another address, so only its presence is compared. */
const anyOfThem = new Set(['payment_url'])

/**
 * Sends the calls of a recording to a provider in their order and returns the differences. Orders get new ids, so that they meet no earlier
 * payments. Rejects with `RECORDING_UNUSABLE`.
 */
export async function replay(
  folder: string,
  send: (call: RecordedCall) => Promise<LoggedCall>,
  { firstOrder, addressOf }: { firstOrder: number; addressOf: (path: string) => string },
): Promise<ReplayedCall[]> {
  const ids = new Map<string, number>()
  const newId = (id: unknown): number => {
    const key = String(id)
    const made = ids.get(key) ?? firstOrder + ids.size
    ids.set(key, made)
    return made
  }
  const replayed: ReplayedCall[] = []
  for (const { name, call } of readRecording(folder)) {
    const { status, answer } = await send(withNewOrder(call, newId, addressOf))
    const differences = [
      ...differencesOf('(status)', call.status, status),
      ...differencesOf('$', call.answer ?? '', jsonOrText(answer)),
    ]
    replayed.push({ name, method: call.method, path: call.path, differences })
  }
  return replayed
}

function withNewOrder(
  call: RecordedCall,
  newId: (id: unknown) => number,
  addressOf: (path: string) => string,
): RecordedCall {
  const [, asked] = /^payment\/(.+)$/.exec(call.path) ?? []
  if (asked !== undefined) return { ...call, path: `payment/${newId(asked)}` }
  const request = call.request as { order?: { id?: unknown } } | undefined
  if (call.path !== 'payment' || request?.order === undefined) return call
  const id = newId(request.order.id)
  return {
    ...call,
    request: {
      ...request,
      order: { ...request.order, id },
      redirect_url: addressOf(`/orders/${id}/return`),
      webhook_url: addressOf(`/webhooks/orders/${id}`),
    },
  }
}

/** Every place where two JSON values differ, as paths. */
function differencesOf(path: string, recorded: unknown, answered: unknown): Difference[] {
  if (isDeepStrictEqual(recorded, answered)) return []
  if (!isTree(recorded) || !isTree(answered) || Array.isArray(recorded) !== Array.isArray(answered)) {
    return [{ path, recorded, answered }]
  }
  const names = new Set([...Object.keys(recorded), ...Object.keys(answered)])
  return [...names].flatMap((name) => {
    const [one, other] = [recorded[name], answered[name]]
    if (anyOfThem.has(name) && typeof one === typeof other) return []
    const place = Array.isArray(recorded) ? `${path}[${name}]` : path === '$' ? name : `${path}.${name}`
    return differencesOf(place, one, other)
  })
}

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
