import type { RefusalCode } from './refusals.ts'

/** What the framework needs of the world, as types. Everything that is not pure comes in through these. */
export interface World {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls back after `ms`; the returned function takes the call back. Never keeps the process alive. */
  after(ms: number, call: () => void): () => void
  /** A number from 0 up to, not including, 1. */
  random(): number
  /** `bytes` random bytes in base64url. */
  token(bytes: number): string
  log: Log
  outgoing: Outgoing
  observer: Observer
}

/** Who looks at what happens: it becomes spans and numbers. */
export interface Observer {
  /** Runs work that belongs to no request, as a trace of its own. */
  job<T>(name: string, about: Record<string, string | number>, work: () => Promise<T>): Promise<T>
  /** Runs what belongs to nothing that runs now, whoever set it off. */
  apart<T>(work: () => T): T
  /** Runs a call into an adapter, its deadline included. */
  adapterCall<T>(about: AdapterCall, work: () => MaybePromise<T>): MaybePromise<T>
  /** What became of one call of `webhook_url`, and how many milliseconds it took. */
  delivered(outcome: 'delivered' | 'failed' | 'dead', ms: number): void
  /** A webhook is delivered again because the shop accepted it without reading the status. */
  reminded(): void
  /** What became of one try of a push: one that is `unmatched` names a payment that is not here. */
  pushed(adapter: string, outcome: PushOutcome): void
  /** A webhook was claimed that another process had held for too long. */
  tookOver(): void
  /** The address of a host was looked up for a call that leaves. */
  lookedUp(kind: LookupKind, outcome: LookupOutcome): void
  /** A call, connection or value was refused. It is counted, and logged at most once a minute for each code and shop. */
  refused(code: RefusalCode, about?: RefusedWhere): void
}

export type PushOutcome = 'processed' | 'unmatched' | 'failed' | 'given_up'

/** Callers whose names are looked up apart: receivers of webhooks, payment adapters, rate adapters, and all else. */
export type LookupKind = 'receivers' | 'payments' | 'rates' | 'other'

/** Whether a name server answered just now, the answer was there, or an old one serves because the name server fails. */
export type LookupOutcome = 'answered' | 'known' | 'stale' | 'not_found' | 'failed' | 'full'

/** Where something was refused, for the log: ids and hosts, never other text that a caller sent. */
export interface RefusedWhere {
  shop?: string
  [field: string]: string | number | undefined
}

export interface AdapterCall {
  adapter: string
  /** The member that is called, such as `start`. */
  call: string
  shop: string
}

/** Nobody looks. */
export const unobserved: Observer = {
  job: (_name, _about, work) => work(),
  apart: (work) => work(),
  adapterCall: (_about, work) => work(),
  delivered() {},
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

/** The one way out of the process. */
export interface Outgoing {
  /**
   * `fetch` for adapters: https only outside development, never to private addresses, redirects are not followed, and the body of
   * an answer ends at the caller's `maxAnswer`. Rejects with an `OutgoingRefused` when an address may not be called.
   */
  fetch(input: string | URL | Request, init?: RequestInit, caller?: OutgoingCaller): Promise<Response>
  /** Sends one call and reads at most 64 KiB of its answer within `timeout` milliseconds in total. */
  send(call: OutgoingCall): Promise<OutgoingAnswer>
  /** Refuses (throws `HOST_NOT_ALLOWED`) an address that may never be called. */
  check(url: string): void
}

/** What makes a call: an adapter, or an option that names an address. */
export interface OutgoingCaller {
  name: string
  /** Not set where the call is for no shop. */
  shop?: string
  /** Of which its names are looked up. Default `other`. */
  kind?: LookupKind
  network?: AdapterNetwork | undefined
}

/** How an adapter's `ctx.fetch` differs from everybody's. */
export interface AdapterNetwork {
  /**
   * What it may call in a private network: ranges (`10.0.3.0/24`) and hosts with their port (`rates.internal:8443`), over https; one
   * host in the clear as `http://rates.internal:8080`. Never opened for addresses that came from a caller, such as `webhook_url`.
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
  /** The shop that is called. */
  shop?: string
}

export interface OutgoingAnswer {
  status: number
  /** The `Retry-After` header as it came. */
  retryAfter: string | undefined
  body: string
}

export type MaybePromise<T> = T | Promise<T>

export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | undefined)?.then === 'function'
}
