import type { SourceLine } from '../observability/source-faults/source-lines.ts'
import type { LoggedCall } from './call-log.ts'

/** The kinds of calls between a shop and a provider, with their words (spec 4.3). */
export const callKinds = {
  rates: 'Rates',
  estimate: 'Estimate',
  methods: 'Payment methods',
  payment: 'Payment start',
  status: 'Payment status',
  webhook: 'Webhook',
  api: 'Shop API',
  other: 'Other',
} as const

export type CallKind = keyof typeof callKinds

export function kindOf({ direction, method, path, request }: LoggedCall): CallKind {
  if (direction === 'provider to shop') return path.startsWith('webhooks/') ? 'webhook' : 'api'
  if (path === 'shipment_methods')
    return (request as { rate_estimate?: unknown } | undefined)?.rate_estimate ? 'estimate' : 'rates'
  if (path === 'payment_methods') return 'methods'
  if (path === 'payment') return 'payment'
  return method === 'GET' && path.startsWith('payment/') ? 'status' : 'other'
}

/** One thing that went wrong in a call. */
export interface CallFailure {
  /** The path of a fault, or the name of the adapter that failed. */
  at: string
  message: string
  /** The line of the adapter's code, as `rates.ts:16`. */
  place?: string | undefined
  /** That line, if the provider sends it. */
  line?: SourceLine | undefined
}

/** Everything that went wrong in a call, that of its adapters first. Empty for a call that is as it should be. */
export function failuresOf({ status, faults, explanation, meaning }: LoggedCall): CallFailure[] {
  const adapters = (explanation?.adapters ?? [])
    .filter(({ result }) => result === 'failed' || result === 'skipped')
    .map(({ adapter, result, reason, words, place }) => ({
      at: adapter,
      message: [reason ?? result, words].filter((text) => text !== undefined).join(': '),
      place,
    }))
  const thrown = explanation?.failures ?? []
  const named = adapters.map((one) => {
    const line = thrown.find(({ adapter }) => adapter === one.at)?.lines[0]
    return { ...one, place: placeOf(line) ?? one.place, line }
  })
  const others = thrown
    .filter(({ adapter }) => !adapters.some(({ at }) => at === adapter))
    .map(({ adapter, what, message, lines: [line] }) => ({
      at: adapter ?? 'adapter',
      message: `${what}: ${message}`,
      place: placeOf(line),
      line,
    }))
  const failures = [...named, ...others, ...faults.map(({ path, message }) => ({ at: path, message }))]
  if (failures.length > 0 || (status !== undefined && status < 400)) return failures
  return [{ at: status === undefined ? 'no answer' : String(status), message: meaning }]
}

const placeOf = (line: SourceLine | undefined) => line && `${line.file}:${line.line}`

/** The time that counts against a limit: that of the slowest adapter if the provider explains it, otherwise that of the call. */
export function timeOf({ ms, wait, explanation }: LoggedCall): { ms: number; of: number | undefined } {
  if (explanation?.deadline === undefined || explanation.adapters.length === 0) return { ms, of: wait }
  return { ms: Math.max(...explanation.adapters.map((one) => one.ms)), of: explanation.deadline }
}
