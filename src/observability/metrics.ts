import { Counter, collectDefaultMetrics, Histogram, Registry } from '@prometheus-io/client'
import type { AdapterFile } from '../adapters/adapter-files.ts'
import type { Parts } from '../parts.ts'
import { answerKinds } from '../rates/asking/rate-memory.ts'
import { filesOf } from '../rates/asking/watch-files.ts'
import { buildOf, version } from '../version.ts'
import type { PushOutcome } from '../world.ts'
import { collecting } from './collected.ts'
import { watchStore } from './store-metrics.ts'

// Labels are routes by their shape, adapters, outcomes and codes. No token, no shop and nothing of a customer is one.

/** In seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
const pushOutcomes: PushOutcome[] = ['processed', 'ignored', 'unmatched', 'failed', 'given_up', 'refused']
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
  readonly refused: Counter<'code'> = new Counter({
    registers: [this.#own],
    name: 'purveyor_refused_total',
    help: 'Refused calls, connections and values by code; `purveyor explain` has a page for each',
    labelNames: ['code'],
  })
  readonly adapters: Histogram<'adapter' | 'call' | 'outcome'> = new Histogram({
    registers: [this.#own],
    name: 'purveyor_adapter_duration_seconds',
    help: 'Duration of calls of an adapter by outcome: ok, or failed with an error or at the deadline',
    labelNames: ['adapter', 'call', 'outcome'],
    buckets,
  })
  readonly deliveries: Histogram<'outcome'> = new Histogram({
    registers: [this.#own],
    name: 'purveyor_delivery_duration_seconds',
    help: 'Duration of webhook deliveries by outcome: delivered, failed and tried again, or dead',
    labelNames: ['outcome'],
    buckets,
  })
  readonly reminders: Counter = new Counter({
    registers: [this.#own],
    name: 'purveyor_webhook_reminders_total',
    help: 'Webhooks delivered again because the shop accepted them and did not read the status for 15 minutes or more',
  })
  readonly pushes: Counter<'adapter' | 'outcome'> = new Counter({
    registers: [this.#own],
    name: 'purveyor_pushes_total',
    help: 'Tries of pushes by adapter and outcome: processed, ignored by the adapter, unmatched (an unknown payment), failed and tried again, given_up, or refused because the push could not be verified',
    labelNames: ['adapter', 'outcome'],
  })
  readonly takeovers: Counter = new Counter({
    registers: [this.#own],
    name: 'purveyor_takeovers_total',
    help: 'Webhooks taken over from a process whose lease ended',
  })
  readonly lookups: Counter<'kind' | 'outcome'> = new Counter({
    registers: [this.#own],
    name: 'purveyor_name_lookups_total',
    help: 'Lookups of host names by kind of caller and outcome: answered, known, stale, not_found, failed, full',
    labelNames: ['kind', 'outcome'],
  })
  readonly commandRetries: Counter<'reason'> = new Counter({
    registers: [this.#own],
    name: 'purveyor_store_retries_total',
    help: 'Commands of the store that were repeated, by reason: held by another transaction, lock, conflict, connection',
    labelNames: ['reason'],
  })

  constructor(workings: Parts<'world' | 'store' | 'rates' | 'payments' | 'rotation'>) {
    // A counter that appears with its first push would hide that one from `increase`.
    for (const { name: adapter, push } of workings.payments.adapters)
      if (push) for (const outcome of pushOutcomes) this.pushes.inc({ adapter, outcome }, 0)
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
  answered({ method, route, code }: Answered, status: number, ms: number): void {
    this.#requests.observe({ method, route, status }, ms / 1000)
    if (status === 503) this.#unavailable.inc({ cause: code ?? 'other' })
    if (code !== undefined && status < 500) this.refused.inc({ code })
  }
}

type Answered = { method: string; route: string; code: string | undefined }

type Watched = Parts<'world' | 'store' | 'rates' | 'rotation'>

function watchProcess({ world, store, rotation }: Watched, registers: Registry[]): void {
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

function watchRates(workings: Watched, registers: Registry[]): void {
  const { adapters, memory } = workings.rates
  const gauge = collecting(registers, 'sum')
  const counter = collecting(registers, 'sum', Counter)
  counter(
    'purveyor_rate_cache_total',
    'Requests to rate adapters that cache, by outcome: hits, joined, misses, stale',
    ['adapter', 'answer'],
    () =>
      Object.entries(memory.caching.counts()).flatMap(([adapter, counts]) =>
        Object.entries(counts).map(([answer, count]) => [{ adapter, answer }, count] as const),
      ),
  )
  gauge(
    'purveyor_rate_breakers_open',
    'Rate adapters skipped after failures: 1 with scope all, the number of shops with scope shop; `purveyor lanes list --kind rates` says why',
    ['adapter', 'scope'],
    () => [
      ...adapters.flatMap(({ name: adapter }) =>
        ['all', 'shop'].map((scope) => [{ adapter, scope }, 0] as const),
      ),
      ...memory.breakers
        .open()
        .map(({ adapter, shop }) => [{ adapter, scope: shop === undefined ? 'all' : 'shop' }, 1] as const),
    ],
  )
  counter(
    'purveyor_rate_answers_total',
    'Requests to rate adapters by result: methods, none, failed, skipped by the breaker, or fallback (the adapter failed, its fallback answered)',
    ['adapter', 'result'],
    () => {
      const counts = memory.answers.counts()
      const named = [...adapters.map(({ name }) => name), ...Object.keys(counts)]
      return [...new Set(named)].flatMap((adapter) =>
        answerKinds.map((result) => [{ adapter, result }, counts[adapter]?.[result] ?? 0] as const),
      )
    },
  )
  const countFiles = (name: string, help: string, count: (file: AdapterFile) => number) =>
    gauge(name, help, ['adapter'], () =>
      filesOf(workings).map((file) => [{ adapter: file.adapter }, count(file)] as const),
    )
  countFiles('purveyor_rate_files', 'Files of rate adapters in memory, such as tariffs', () => 1)
  countFiles('purveyor_rate_file_lines', 'Lines and points of these files', ({ size }) => size)
  const faults = 'Files whose last change cannot be used: `purveyor doctor` and the log name the line'
  countFiles('purveyor_rate_file_faults', faults, ({ fault }) => (fault ? 1 : 0))
}
