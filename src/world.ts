import type { RefusalCode } from './errors/refusals.ts'

/** The framework's interface to the outside, as types. Everything that is not pure comes in through these. */
export interface World extends Clock {
  /** The name of this process: 8 characters. */
  node: string
  /** A number from 0 up to, not including, 1. */
  random(): number
  /** The CPU time that this thread has used, in milliseconds. Not set where only the clock is known. */
  cpu?(): number
  /** `bytes` random bytes in base64url. */
  token(bytes: number): string
  log: Log
  outgoing: Outgoing
  observer: Observer
}

/** The time and its timers. That of a provider never keeps the process alive. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls back after `ms`. The returned function cancels it. */
  after(ms: number, call: () => void): () => void
}

/** Receives events, for spans and metrics. */
export interface Observer {
  /** Runs work that belongs to no request, as a trace of its own. */
  job<T>(name: string, about: Record<string, string | number>, work: () => Promise<T>): Promise<T>
  /** Runs work outside the current request and trace. */
  apart<T>(work: () => T): T
  /** A call into an adapter begins. */
  adapterCall(about: AdapterCall): ObservedCall
  /** An adapter blocked the event loop until `at`, in milliseconds since 1970. */
  blocked(adapter: string, at: number): void
  /** The outcome of one delivery in a lane, and its duration in milliseconds. */
  delivered(outcome: 'delivered' | 'failed' | 'dead', ms: number, lane: string): void
  /** The platform of a shop called; not at every call. */
  shopCalled(shopId: string): void
  /** A webhook is delivered again because the shop accepted it without reading the status. */
  reminded(): void
  /** The outcome of one try of a push: `unmatched` names a payment that is not here, `ignored` none, `refused` is not from the payment service. */
  pushed(adapter: string, outcome: PushOutcome): void
  /** A webhook was claimed whose lease in another process had ended. */
  tookOver(): void
  /** A host was looked up for an outgoing call. */
  lookedUp(kind: LookupKind, outcome: LookupOutcome): void
  /** A call, connection or value was refused. It is counted, and logged at most once a minute for each code and shop. */
  refused(code: RefusalCode, about?: RefusedWhere): void
}

export type PushOutcome = 'processed' | 'ignored' | 'unmatched' | 'failed' | 'given_up' | 'refused'

/** Callers with separate name look-ups: receivers of webhooks, payment adapters, rate adapters, and all others. */
export type LookupKind = 'receivers' | 'payments' | 'rates' | 'other'

/** Whether a name server answered just now, the answer was cached, or an old one is used because the name server fails. */
export type LookupOutcome = 'answered' | 'known' | 'stale' | 'not_found' | 'failed' | 'full'

/** The context of a refusal, for the log: ids and hosts, never other text of a caller. */
export interface RefusedWhere {
  shop?: string
  [field: string]: string | number | undefined
}

export interface AdapterCall {
  adapter: string
  /** The member that is called, such as `start`. */
  call: string
  /** Not set for a call that is for no shop, such as `prepare`. */
  shop?: string | undefined
}

/** A call into an adapter that has begun. */
export interface ObservedCall {
  /** Makes the call, in its span. */
  run<T>(into: () => T): T
  ended(failure?: { error: unknown }): void
}

/** Ignores all events. */
export const unobserved: Observer = {
  job: (_name, _about, work) => work(),
  apart: (work) => work(),
  adapterCall: () => ({ run: (into) => into(), ended() {} }),
  blocked() {},
  delivered() {},
  shopCalled() {},
  reminded() {},
  pushed() {},
  tookOver() {},
  lookedUp() {},
  refused() {},
}

/** A structured log: fields first. pino fits. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** All outgoing calls of the process. */
export interface Outgoing {
  /**
   * `fetch` for adapters: https only outside development, never to private addresses, redirects are not followed, and the body of an answer
   * ends at the caller's `maxAnswer`. Rejects with `OUTGOING_REFUSED` if an address must not be called.
   */
  fetch(input: string | URL | Request, init?: RequestInit, caller?: OutgoingCaller): Promise<Response>
  /** Sends one call and reads at most 64 KiB of its answer within `timeout` milliseconds in total. */
  send(call: OutgoingCall): Promise<OutgoingAnswer>
  /** Refuses (throws `HOST_NOT_ALLOWED`) an address that must never be called. */
  check(url: string): void
  /** Closes all connections: idle ones at once, others after their call. A later call opens new ones. */
  close(): void
}

/** The origin of a call: an adapter, or an option that names an address. */
export interface OutgoingCaller {
  name: string
  /** Not set if the call is for no shop. */
  shop?: string
  /** The kind of its name look-ups. Default `other`. */
  kind?: LookupKind
  network?: AdapterNetwork | undefined
}

/** The special permissions of an adapter's `ctx.fetch`. */
export interface AdapterNetwork {
  /**
   * The private addresses that it may call: ranges (`10.0.3.0/24`) and hosts with their port (`rates.internal:8443`), over https; one host
   * without TLS as `http://rates.internal:8080`. Never applies to addresses from a caller, such as `webhook_url`.
   */
  allow?: readonly string[]
  /** The largest answer in bytes, decoded. A larger one fails with `ANSWER_TOO_LARGE`. Default 8 MiB, at most 256 MiB. */
  maxAnswer?: number
}

export interface OutgoingCall {
  url: string
  method: string
  headers: Record<string, string>
  body: string
  timeout: number
  /** The shop to call. */
  shop?: string
}

export interface OutgoingAnswer {
  status: number
  /** The raw `Retry-After` header. */
  retryAfter: string | undefined
  body: string
}

/** Reads a `Retry-After` header, seconds or a date, as milliseconds from `now`. */
export function readRetryAfter(header: string | null | undefined, now: number): number | undefined {
  const given = header?.trim()
  if (!given) return undefined
  const ms = /^\d{1,9}$/.test(given) ? Number(given) * 1000 : Date.parse(given) - now
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>

export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | undefined)?.then === 'function'
}

/** Goes on with a value, at once if it is there. */
export function next<T, U>(value: MaybePromise<T>, follows: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return isPromise(value) ? value.then(follows) : follows(value)
}

/** Calls back after `ms`. The returned function cancels it. Never keeps the process alive. */
export function after(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms).unref()
  return () => clearTimeout(timer)
}

/** Waits for the work, at most until the signal. The work itself continues. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

const timeName = Symbol.for('purveyor.time')

/** Sets the time for a provider in this process. Used by programs that move the time of a whole process, such as `purveyor dev`. */
export const moveTime = (now: () => number): boolean => Reflect.set(globalThis, timeName, now)

/** The time in a process whose time is moved; `undefined` in every other. */
export const movedTime = (): (() => number) | undefined =>
  Reflect.get(globalThis, timeName) as (() => number) | undefined

/** Options of a cache that keeps so many entries. It grows as it is filled: with `max` all of its memory would be taken at the start. */
export const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
