import { Counter, collectDefaultMetrics, Histogram, Registry } from '@prometheus-io/client'
import type { RefusalCode } from '../errors/refusals.ts'
import type { Parts } from '../parts.ts'
import type { RetryReason } from '../store.ts'
import { buildOf, version } from '../version.ts'
import type { AdapterCall, Observer, PushOutcome } from '../world.ts'
import { collecting } from './collected.ts'
import { watchRates } from './rate-metrics.ts'
import { watchStore } from './store-metrics.ts'

// Labels are routes by their shape, adapters, outcomes and codes. No token, no shop and nothing of a customer is one.

/** In seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
const pushOutcomes: readonly PushOutcome[] = [
  'processed',
  'ignored',
  'unmatched',
  'failed',
  'given_up',
  'refused',
]
let ofProcess: Registry | undefined

/** Metrics of the process: event loop, memory and CPU. Collected once, for any number of providers. */
function processMetrics(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

const running = new Set<Registry>()

export const runningRegistries = (): Registry[] => [...running]

export class Metrics {
  readonly registry: Registry
  readonly #own = new Registry()
  readonly #requests: Histogram<'method' | 'route' | 'status'> = new Histogram({
    registers: [this.#own],
    name: 'purveyor_request_duration_seconds',
    help: 'Duration of requests by route and status, from the first byte to the answer',
    labelNames: ['method', 'route', 'status'],
    buckets,
  })
  readonly #unavailable: Counter<'cause'> = new Counter({
    registers: [this.#own],
    name: 'purveyor_unavailable_total',
    help: 'Answers with status 503 by the code of the problem',
    labelNames: ['cause'],
  })
  readonly #refused: Counter<'code'> = new Counter({
    registers: [this.#own],
    name: 'purveyor_refused_total',
    help: 'Refused calls, connections and values by code; `purveyor explain` has a page for each',
    labelNames: ['code'],
  })
  readonly #adapters: Histogram<'adapter' | 'call' | 'outcome'> = new Histogram({
    registers: [this.#own],
    name: 'purveyor_adapter_duration_seconds',
    help: 'Duration of calls of an adapter by outcome: ok, or failed with an error or at the deadline',
    labelNames: ['adapter', 'call', 'outcome'],
    buckets,
  })
  readonly #deliveries: Histogram<'outcome'> = new Histogram({
    registers: [this.#own],
    name: 'purveyor_delivery_duration_seconds',
    help: 'Duration of webhook deliveries by outcome: delivered, failed and tried again, or dead',
    labelNames: ['outcome'],
    buckets,
  })
  readonly #reminders: Counter = new Counter({
    registers: [this.#own],
    name: 'purveyor_webhook_reminders_total',
    help: 'Webhooks delivered again because the shop accepted them and did not read the status for 15 minutes or more',
  })
  readonly #pushes: Counter<'adapter' | 'outcome'> = new Counter({
    registers: [this.#own],
    name: 'purveyor_pushes_total',
    help: 'Tries of pushes by adapter and outcome: processed, ignored by the adapter, unmatched (an unknown payment), failed and tried again, given_up, or refused because the push could not be verified',
    labelNames: ['adapter', 'outcome'],
  })
  readonly #takeovers: Counter = new Counter({
    registers: [this.#own],
    name: 'purveyor_takeovers_total',
    help: 'Webhooks taken over from a process whose lease ended',
  })
  readonly #lookups: Counter<'kind' | 'outcome'> = new Counter({
    registers: [this.#own],
    name: 'purveyor_name_lookups_total',
    help: 'Lookups of host names by kind of caller and outcome: answered, known, stale, not_found, failed, full',
    labelNames: ['kind', 'outcome'],
  })
  readonly #commandRetries: Counter<'reason'> = new Counter({
    registers: [this.#own],
    name: 'purveyor_store_retries_total',
    help: 'Commands of the store that were repeated, by reason: held by another transaction, lock, conflict, connection',
    labelNames: ['reason'],
  })

  constructor(workings: Parts<'world' | 'store' | 'rates' | 'payments' | 'rotation'>) {
    // A counter that appears with its first push would hide that one from `increase`.
    for (const { name: adapter, push } of workings.payments.adapters)
      if (push) for (const outcome of pushOutcomes) this.#pushes.inc({ adapter, outcome }, 0)
    watchProcess(workings, [this.#own])
    watchRates(workings, [this.#own])
    watchStore(workings, [this.#own])
    this.registry = Registry.merge([this.#own, processMetrics()])
    running.add(this.registry)
  }

  end(): void {
    running.delete(this.registry)
  }

  /** `code` is that of an error answer. */
  answered(
    of: Record<'method' | 'route', string> & { code: string | undefined },
    status: number,
    ms: number,
  ) {
    const { method, route, code } = of
    this.#requests.observe({ method, route, status }, ms / 1000)
    if (status === 503) this.#unavailable.inc({ cause: code ?? 'other' })
    if (code !== undefined && status < 500) this.#refused.inc({ code })
  }

  called({ adapter, call }: AdapterCall, failed: boolean, ms: number): void {
    this.#adapters.observe({ adapter, call, outcome: failed ? 'failed' : 'ok' }, ms / 1000)
  }

  readonly refused = (code: RefusalCode): void => this.#refused.inc({ code })
  readonly delivered = (outcome: 'delivered' | 'failed' | 'dead', ms: number): void =>
    this.#deliveries.observe({ outcome }, ms / 1000)
  readonly reminded: Observer['reminded'] = () => this.#reminders.inc()
  readonly pushed: Observer['pushed'] = (adapter, outcome) => this.#pushes.inc({ adapter, outcome })
  readonly tookOver: Observer['tookOver'] = () => this.#takeovers.inc()
  readonly commandRetried = (reason: RetryReason): void => this.#commandRetries.inc({ reason })
  readonly lookedUp: Observer['lookedUp'] = (kind, outcome) => this.#lookups.inc({ kind, outcome })
}

function watchProcess(
  { world, store, rotation }: Parts<'world' | 'store' | 'rotation'>,
  registers: Registry[],
): void {
  const [sum, max] = [collecting(registers, 'sum'), collecting(registers, 'max')]
  sum(
    'purveyor_build_info',
    'Processes by version of Purveyor, PURVEYOR_BUILD and version of Node',
    ['version', 'build', 'node'],
    // After an upgrade every process has the new one.
    () => [[{ version, build: buildOf(process.env), node: process.versions.node }, 1]],
  )
  max(
    'purveyor_clock_off_seconds',
    "Difference between this machine's clock and the one that leases, due times and expiry use",
    [],
    // Zero while both agree. Setting the machine's clock does not change the time of the world.
    () => Math.abs(Date.now() - world.now()) / 1_000,
  )
  max(
    'purveyor_sealed_with_previous_secret',
    'Texts not yet sealed with the new secret, while it is changed',
    [],
    () => rotation?.left ?? 0,
  )
  collecting(registers, 'min')(
    'purveyor_store_disk_free_bytes',
    'Free bytes on the disk of the SQLite file; absent with PostgreSQL',
    [],
    // It does not wait for the store: a full disk is the reason why that does not answer.
    () => store.freeBytes?.(),
  )
}
