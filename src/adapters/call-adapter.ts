import { type Address, address, type Customer, customer, type PersonalFields } from '../contract/index.ts'
import { type Clock, isPromise, type MaybePromise, type OutgoingCaller, type World } from '../world.ts'

/** An adapter's statement on the personal data that it passes on, for the merchant's privacy policy (spec 1). */
export interface Disclosure {
  /** The recipient, such as `Courier Ltd, Utrecht, the Netherlands`. */
  recipient: string
  /** The purpose, such as `to deliver the parcel`. */
  purpose?: string
  /** How long the recipient keeps it, such as `six months`. */
  keptFor?: string
}

/** A personal field that an adapter reads, such as `customer.email` or `shipping_address.city`. */
export type Need =
  | `customer.${keyof Customer & string}`
  | `billing_address.${keyof Address & string}`
  | `shipping_address.${keyof Address & string}`

const defaultFields = ['country', 'region', 'zipcode'] as const
type DefaultField = (typeof defaultFields)[number]

/** The fields of an adapter without `needs`: enough for zones and taxes, without names. */
export type DefaultNeed = `billing_address.${DefaultField}` | `shipping_address.${DefaultField}`

export const defaultNeeds: readonly DefaultNeed[] = defaultFields.flatMap(
  (field) => [`billing_address.${field}`, `shipping_address.${field}`] as const,
)

/** The fields that may distinguish two requests without identifying a person. */
const cities = ['billing_address.city', 'shipping_address.city'] as const
const impersonal: readonly Need[] = ['customer.type', ...defaultNeeds, ...cities]

/** Fields that an adapter needs and that are never part of a cache key: the person and the exact address. */
export const personalNeeds = (needs: readonly Need[] = defaultNeeds): Need[] =>
  needs.filter((need) => !impersonal.includes(need))

/** The fields that an adapter may need, by part. The password of a customer is not one of them: no adapter gets it. */
export const needableFields: Fields = {
  customer: Object.keys(customer.shape).filter((field) => field !== 'password'),
  billing_address: Object.keys(address.shape),
  shipping_address: Object.keys(address.shape),
}

type FieldsOf<N extends Need, Part extends string> = N extends `${Part}.${infer Field}` ? Field : never
type Only<T, Fields> = Pick<T, Extract<keyof T, Fields>>

/** The personal parts of a message, reduced to the declared fields. */
export interface PersonalData<N extends Need> {
  customer: Only<Customer, FieldsOf<N, 'customer'>>
  billing_address: Only<Address, FieldsOf<N, 'billing_address'>>
  shipping_address: Only<Address, FieldsOf<N, 'shipping_address'>>
}

type Fields = Required<Record<keyof PersonalFields, readonly string[]>>

interface Needing {
  needs?: readonly Need[]
}

/** All personal fields that any of these adapters reads. Other customer fields are not read from a message. */
export function neededFields(adapters: readonly Needing[]): Fields {
  const needs = new Set<string>(adapters.flatMap(({ needs = defaultNeeds }) => needs))
  const wrong = [...needs].find((need) => !/^(?:customer|billing_address|shipping_address)\../.test(need))
  if (wrong !== undefined) throw new TypeError(`needs has "${wrong}"; a need looks like "customer.email"`)
  const of = (part: string) =>
    [...needs].flatMap((need) => (need.startsWith(`${part}.`) ? need.slice(part.length + 1) : []))
  return {
    customer: of('customer'),
    billing_address: of('billing_address'),
    shipping_address: of('shipping_address'),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what is left is what the adapter's own type parameter says
type Cut = (message: object) => any

/** Reduces messages that were read for all adapters of one kind to the fields of each. */
export class Cuts {
  readonly #all: readonly Needing[]
  readonly #cuts = new Map<Needing, Cut>()

  constructor(all: readonly Needing[]) {
    this.#all = all
  }

  of(adapter: Needing): Cut {
    const cut = this.#cuts.get(adapter) ?? onlyNeeded(adapter, neededFields(this.#all))
    this.#cuts.set(adapter, cut)
    return cut
  }
}

/** Creates the function that cuts a message that was read with the fields `read` to those that one adapter declared. */
export function onlyNeeded(adapter: Needing, read: Fields) {
  const fields = neededFields([adapter])
  const names = Object.keys(fields) as (keyof Fields)[]
  const parts = names.filter((part) => fields[part].length < read[part].length)
  return <T extends object>(message: T): T => {
    if (parts.length === 0) return message
    const cut = { ...message } as Record<string, unknown>
    for (const part of parts) cut[part] = pick(cut[part] as Record<string, unknown>, fields[part])
    return cut as T
  }
}

function pick(part: Record<string, unknown> | null | undefined, fields: readonly string[]) {
  const picked: Record<string, unknown> = {}
  for (const field of fields) if (part?.[field] !== undefined) picked[field] = part[field]
  return picked
}

/** Thrown when a call into an adapter takes too long. The call itself may continue. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
  constructor(ms: number) {
    super(`no answer within ${Math.round(ms)} ms`)
  }
}

/** One deadline for all work on one answer. The signal is created at its first use. */
export class Deadline {
  readonly #world: Pick<Clock, 'after'>
  readonly #ms: number
  #controller: AbortController | undefined
  #over = false

  constructor(world: Pick<Clock, 'after'>, ms: number) {
    this.#world = world
    this.#ms = ms
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#over) this.#controller.abort(new DeadlinePassed(this.#ms))
    return this.#controller.signal
  }

  /** Waits for the promise, at most until the deadline; then aborts the signal and rejects with `DeadlinePassed`. */
  wait<T>(promise: PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const cancel = this.#world.after(this.#ms, () => {
        this.#over = true
        const error = new DeadlinePassed(this.#ms)
        this.#controller?.abort(error)
        reject(error)
      })
      Promise.resolve(promise).then(resolve, reject).finally(cancel)
    })
  }
}

/** The `fetch` that an adapter gets: guarded, and aborted with the deadline. */
export function deadlineFetch(world: World, deadline: Deadline, caller: OutgoingCaller): typeof fetch {
  return (input, init) => {
    const signal = init?.signal ? AbortSignal.any([init.signal, deadline.signal]) : deadline.signal
    return world.outgoing.fetch(input, { ...init, signal }, caller)
  }
}

/** How long an adapter may block the event loop without a log line, in milliseconds. It is to blame for CPU time of its own. */
const blocksAfter = 50

interface CallOptions {
  adapter: { name: string }
  /** The member that is called, such as `start`. */
  call: string
  /** Not set for a call that is for no shop, such as `prepare`. */
  shop?: string | undefined
  deadline: Deadline
}

/**
 * Calls a member of an adapter: with a span, metrics, the deadline, and a log line if it blocks the event loop. A synchronous answer is
 * returned without a timer and a promise; a synchronous error is thrown.
 */
export function callAdapter<T>(
  world: World,
  { adapter: { name: adapter }, call, shop, deadline }: CallOptions,
  into: () => MaybePromise<T>,
): MaybePromise<T> {
  const observed = world.observer.adapterCall({ adapter, call, shop })
  const failed = (error: unknown) => observed.ended({ error })
  const started = world.now()
  const used = world.cpu?.()
  try {
    const answer = observed.run(into)
    if (!isPromise(answer)) {
      observed.ended()
      return answer
    }
    const waited = deadline.wait(answer)
    waited.then(() => observed.ended(), failed)
    return waited
  } catch (error) {
    failed(error)
    throw error
  } finally {
    const ms = world.now() - started
    if (ms >= blocksAfter) {
      const cpuMs = used === undefined ? undefined : Math.round(world.cpu!() - used)
      // On a busy machine the thread waits for the CPU, and no code is to blame.
      const isToBlame = cpuMs === undefined || cpuMs >= blocksAfter
      if (isToBlame) world.observer.blocked(adapter, world.now())
      const busy = 'the machine is busy, or the adapter waits for a file or a program'
      const waited = `the event loop was blocked during a call of an adapter that used little CPU: ${busy}`
      world.log.warn({ adapter, ms, cpuMs }, isToBlame ? 'an adapter blocked the event loop' : waited)
    }
  }
}
