import { isDeepStrictEqual } from 'node:util'
import { jsonIn } from '../../contract/texts.ts'
import { jsonOrText } from '../../rates/files/file-text.ts'
import type { LoggedCall } from '../calls/call-log.ts'
import { atOnce } from '../calls/provider-calls.ts'
import { pressOnPage } from '../scenarios/payment-page.ts'
import { urlIn } from '../scenarios/seen.ts'
import type { Shop } from '../shop.ts'
import { type RecordedCall, type RecordedStep, readRecording } from './record.ts'

/** A difference between an answer and its recording. */
export interface Difference {
  path: string
  recorded: unknown
  answered: unknown
}

/** A recorded call that was sent again, and what was answered otherwise. */
export interface ReplayedCall {
  name: string
  /** `customer` for a choice on the payment page that could not be made again. */
  method: string
  path: string
  differences: Difference[]
  /** The reason why the answer was not compared. Default: it was. */
  notCompared?: string
}

/** Another attempt has another address, and another call another id, so only their presence is compared. */
const anyOfThem = new Set(['payment_url', 'request_id'])
/** How long a payment has to reach its recorded status by itself, in milliseconds. */
const patience = 2_000
const pollEvery = 20

/** Sends the calls of a recording in their order, with its steps. Orders get new ids, to meet no earlier payments. Rejects with `RECORDING_UNUSABLE`. */
export async function replay(shop: Shop, folder: string): Promise<ReplayedCall[]> {
  const entries = readRecording(folder)
  const session = new Replay(shop)
  const replayed: ReplayedCall[] = []
  for (const [index, { name, call }] of entries.entries()) {
    const later = entries.slice(index + 1)
    const one = 'step' in call ? await session.step(name, call) : await session.call(name, call, later)
    if (one) replayed.push(one)
  }
  return replayed
}

type Entry = ReturnType<typeof readRecording>[number]

class Replay {
  readonly #shop: Shop
  /** Far from the ids of existing orders and of earlier replays. */
  readonly #firstOrder = 1_000_000 + (Date.now() % 1_000_000_000)
  readonly #ids = new Map<string, number>()
  /** The payment pages of each new order, one for each start. */
  readonly #pages = new Map<number, (string | undefined)[]>()
  /** Recorded orders that a step has moved since their payment was started. */
  readonly #moved = new Set<number>()
  #clockStood = false

  constructor(shop: Shop) {
    this.#shop = shop
  }

  /** Takes a step again. Returns the difference if it went otherwise. */
  async step(name: string, recorded: RecordedStep): Promise<ReplayedCall | undefined> {
    if (recorded.step === 'clock') {
      if (this.#shop.movesProviders) await this.#shop.advance(recorded.ms)
      else this.#clockStood = true
      for (const id of this.#pages.keys()) this.#moved.add(id)
      return undefined
    }
    const id = this.#newId(recorded.session, recorded.orderId)
    this.#moved.add(id)
    const failure = await this.#choose(id, recorded)
    if ((failure === undefined) === recorded.done) return undefined
    const differences = [
      { path: '(customer)', recorded: recorded.done ? 'done' : 'not possible', answered: failure ?? 'done' },
    ]
    return { name, method: 'customer', path: recorded.choose, differences }
  }

  async #choose(id: number, { choose, start, tabs }: RecordedStep & { step: 'customer' }) {
    const pages = this.#pages.get(id) ?? []
    const page = pages.at(start) ?? pages.findLast((one) => one !== undefined)
    if (page === undefined) return 'no page'
    try {
      await atOnce(tabs, () => pressOnPage(page, choose))
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }

  async call(name: string, call: RecordedCall, later: readonly Entry[]): Promise<ReplayedCall> {
    const sent = this.#withNewOrder(call)
    const answered = await this.#shop.send(sent.call)
    if (call.path === 'payment' && sent.id !== undefined) this.#notePage(sent.id, answered)
    const { method, path } = call
    const differences = differing(call, answered)
    const result = { name, method, path, differences }
    const without = (notCompared: string) => ({ ...result, differences: [], notCompared })
    if (call.lost) return without('Its answer was lost when it was recorded')
    if (differences.length === 0 || sent.id === undefined || !onlyStatus(differences, call, answered))
      return result
    if (this.#clockStood) return without('The clock of this provider cannot be moved')
    if (changesByItself(call, later)) return without('The payment changed by itself soon after')
    const until = performance.now() + patience
    while (result.differences.length > 0 && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, pollEvery))
      result.differences = differing(call, await this.#shop.send(sent.call))
    }
    if (result.differences.length > 0 && !this.#moved.has(sent.id) && statusOf(call.answer) !== 'pending')
      return without('It depends on the customer, whose choice is not recorded')
    return result
  }

  #notePage(id: number, { answer }: LoggedCall): void {
    const url = urlIn(answer)
    this.#pages.set(id, [...(this.#pages.get(id) ?? []), typeof url === 'string' ? url : undefined])
  }

  #newId(session: number, id: unknown): number {
    const key = `${session}:${String(id)}`
    const made = this.#ids.get(key) ?? this.#firstOrder + this.#ids.size
    this.#ids.set(key, made)
    return made
  }

  #withNewOrder(call: RecordedCall): { call: RecordedCall; id?: number } {
    const [, asked] = /^payment\/(.+)$/.exec(call.path) ?? []
    if (asked !== undefined) {
      const id = this.#newId(call.session, asked)
      return { id, call: { ...call, path: `payment/${id}` } }
    }
    const request = call.request as { order?: { id?: unknown } } | undefined
    if (call.path !== 'payment' || request?.order === undefined) return { call }
    const id = this.#newId(call.session, request.order.id)
    const { addressOf } = this.#shop
    const order = { ...request.order, id }
    const addresses = {
      redirect_url: addressOf(`/orders/${id}/return`),
      webhook_url: addressOf(`/webhooks/orders/${id}`),
    }
    return { id, call: { ...call, request: { ...request, order, ...addresses } } }
  }
}

/** Whether the recording holds another status of this payment before any step or start that could have changed it. */
function changesByItself(call: RecordedCall, entries: readonly Entry[]): boolean {
  for (const { call: later } of entries) {
    if ('step' in later || later.path === 'payment') return false
    const same = later.path === call.path && later.session === call.session && !later.lost
    if (same && !isDeepStrictEqual(later.answer, call.answer)) return true
  }
  return false
}

const statusOf = (answer: unknown): unknown => (answer as { status?: unknown } | undefined)?.status

const onlyStatus = (differences: Difference[], { answer }: RecordedCall, again: LoggedCall): boolean =>
  differences.every(({ path }) => path === 'status') &&
  typeof statusOf(answer) === 'string' &&
  typeof statusOf(jsonIn(again.answer)) === 'string'

const differing = (call: RecordedCall, { status, answer }: LoggedCall): Difference[] => [
  ...differencesOf('(status)', call.status, status),
  ...differencesOf('$', call.answer ?? '', jsonOrText(answer)),
]

function differencesOf(path: string, recorded: unknown, answered: unknown): Difference[] {
  if (isDeepStrictEqual(recorded, answered)) return []
  if (!isTree(recorded) || !isTree(answered) || Array.isArray(recorded) !== Array.isArray(answered))
    return [{ path, recorded, answered }]
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
