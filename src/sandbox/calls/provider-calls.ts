import { once } from 'node:events'
import type { Served } from '../../contract/served.ts'
import { shopId as firstShopId } from '../../messages/live.ts'
import type { SourceFault } from '../../observability/source-faults/source-fault.ts'
import { withoutSlash } from '../../shops/shop.ts'
import type { MovingClock } from '../clock.ts'
import type { Service, Services, State } from '../state.ts'
import type { Switches } from '../switches.ts'
import { type Read, type Received, readerOf } from './answers.ts'
import type { CallLog, LoggedCall } from './call-log.ts'
import { fetchExplanation, fetchText } from './explanation.ts'

/** Why a provider does not run: an error of its start, or the one that ended its process. */
export interface ProviderFault extends SourceFault {
  /** The code of a `PurveyorError` or of Node, such as `CONFIGURATION_INVALID`. */
  code?: string
  /** The error's name and message, and all of its frames. Not set if no error is known, such as after `kill`. */
  stack?: string
}

/** The state of the process of the provider beside the sandbox. */
export type ProviderState =
  | {
      is: 'running'
      /** Its `urlEndpoint`, if that is new: the shop registers it in the place of the one before. */
      endpoint?: string
      /** Registers `endpoint` for these. Default: both. */
      services?: readonly Served[]
      /** Whether the cart asks `endpoint` for estimates. Default true. */
      estimates?: boolean
    }
  /** It restarts: calls of the shop wait for the next state. */
  | { is: 'starting' }
  | { is: 'not running'; fault: ProviderFault }

/** How long a call of the shop waits for a provider that starts, in milliseconds. */
const patience = 10_000

/** The state of the provider's process. A provider that runs elsewhere is always `running`. */
export class ProviderWatch {
  readonly #changes: State['changes']
  state: ProviderState = { is: 'running' }
  /** Whether it answered the cart when it was registered last. */
  estimates: boolean | undefined

  constructor(changes: State['changes']) {
    this.#changes = changes
  }

  get fault(): ProviderFault | undefined {
    return this.state.is === 'not running' ? this.state.fault : undefined
  }

  set(state: ProviderState): void {
    this.state = state
    this.#changes.emit('change', 'provider', 1, 'updated')
  }

  /** Resolves at once unless the provider is starting, then once it runs or has failed, after ten seconds at the latest. */
  async settled(): Promise<void> {
    const signal = this.state.is === 'starting' ? AbortSignal.timeout(patience) : undefined
    while (signal && this.state.is === 'starting' && !signal.aborted)
      await once(this.#changes, 'change', { signal }).catch(() => {})
  }
}

const keepOfAnswer = 64 * 1024
const failures = { most: 5, within: 60_000, pause: 60_000 }

interface Answered extends Received {
  /** The id of the explanation of these rates at a provider in development. */
  explanationId?: string | null
  headers?: NonNullable<LoggedCall['headers']>
  unanswered?: LoggedCall['unanswered']
}

type Sent = Pick<LoggedCall, 'method' | 'path' | 'shopId'> & Partial<Pick<LoggedCall, 'request' | 'orderId'>>

export interface ProviderCall<T> {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  orderId?: number | undefined
  shopId?: number | undefined
  checkoutId?: number | undefined
  read: Read<T>
}

interface CallingShop {
  log: CallLog
  switches: Switches
  clock: MovingClock
  provider: ProviderWatch
  services: Services
}

export const atOnce = <T>(times: number, call: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, call))

const noAnswer = { status: undefined, contentType: '', text: '' } as const
const paused = 'the provider is not called for a minute, because it failed five times'
const lost = 'the answer was lost on the way, as set by the switch "answers"'

/** Calls a provider's endpoint as a platform does, and logs both sides. Never rejects: a missing answer is a result too. */
export class ProviderCalls {
  readonly #shop: CallingShop
  readonly #timeout: number | undefined
  readonly #failed = new Map<string, number[]>()

  /** `timeout` replaces the switch `cutOff`, in milliseconds. */
  constructor(shop: CallingShop, timeout?: number) {
    this.#shop = shop
    this.#timeout = timeout
  }

  /** Made twice at the same moment if the switch says so; the first of the two counts. */
  async call<T>(to: Service, call: ProviderCall<T>): Promise<T> {
    const { calls } = this.#shop.switches.values
    const [first] = await atOnce(calls === 'doubled' ? 2 : 1, () => this.#once(to, call))
    return first!.value
  }

  /** Sends a call again as it was logged. Resolves with the new entry. */
  async again(to: Service, sent: Sent) {
    const { method, path, request: body, orderId, shopId } = sent
    const call = { method: method as 'GET' | 'POST', path, body, orderId, shopId, read: readerOf(sent) }
    return (await this.#once(to, call)).logged
  }

  async #once<T>(asked: Service, call: ProviderCall<T>): Promise<{ value: T; logged: LoggedCall }> {
    const { provider, services, switches, clock, log } = this.#shop
    await provider.settled()
    // A provider that has started again may have a new endpoint.
    const to = services.get(asked.id) ?? asked
    const at = clock.now()
    const since = performance.now()
    const received = await this.#send(to, call)
    const ms = Math.round(performance.now() - since)
    this.#noteOutcome(to, received)
    const { method, path, body, orderId, shopId, checkoutId, read } = call
    const { created, invalidMethods } = switches.values
    const strict = { created: created === 'refused', methods: invalidMethods === 'dropped' }
    const { value, faults, meaning } = read(received, strict)
    const endpoint = endpointOf(to)
    const { status, unanswered, headers, text, explanationId } = received
    const logged = log.add({
      at,
      direction: 'shop to provider',
      service: { id: to.id, name: to.name },
      ...{ orderId, shopId, checkoutId, method, path },
      url: `${endpoint}/${path}`,
      request: body,
      ...{ status, unanswered, ms, wait: this.#wait, headers },
      answer: text.slice(0, keepOfAnswer),
      faults,
      meaning,
      explanation: explanationId ? await fetchExplanation(endpoint, explanationId) : undefined,
    })
    return { value, logged }
  }

  /** In milliseconds. */
  get #wait(): number {
    return this.#timeout ?? Number.parseInt(this.#shop.switches.values.cutOff, 10) * 1_000
  }

  #isPaused(to: Service): boolean {
    const failed = this.#failed.get(to.urlEndpoint) ?? []
    return failed.length >= failures.most && this.#shop.clock.now() - failed.at(-1)! < failures.pause
  }

  #noteOutcome(to: Service, { status, failure, unanswered }: Answered): void {
    if (unanswered === 'not sent') return
    const now = this.#shop.clock.now()
    const bad = failure !== undefined || status === undefined || status >= 500
    const before = (this.#failed.get(to.urlEndpoint) ?? []).filter((at) => now - at < failures.within)
    this.#failed.set(to.urlEndpoint, bad ? [...before, now].slice(-failures.most) : [])
  }

  async #send(to: Service, call: ProviderCall<unknown>): Promise<Answered> {
    const { method, path, body, shopId = firstShopId } = call
    const url = `${endpointOf(to)}/${path}`
    const { answers, failing, shopId: sent } = this.#shop.switches.values
    if (failing === 'skipped' && this.#isPaused(to))
      return { ...noAnswer, failure: paused, unanswered: 'not sent' }
    const namesShop = sent !== 'none' || !path.startsWith('payment')
    const headers: Record<string, string> = {
      'user-agent': 'WebshopappApi',
      ...(namesShop && { 'x-shop-id': String(shopId) }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const none = { ...noAnswer, headers: { request: headers, answer: {} } }
    const init = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) }
    const { response, text, failure } = await fetchText(url, init, this.#wait)
    if (!response) return { ...none, failure }
    if (answers === 'drop' || (answers === 'dropNext' && this.#shop.switches.once('answers', 'dropNext')))
      return { ...none, failure: lost, unanswered: 'lost' }
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      text,
      failure,
      headers: { request: headers, answer: Object.fromEntries(response.headers) },
      explanationId: response.headers.get('purveyor-explanation'),
    }
  }
}

/** A urlEndpoint may be registered with a slash at the end. */
const endpointOf = ({ urlEndpoint }: Service) => withoutSlash(urlEndpoint)
