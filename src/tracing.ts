import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingHttpHeaders } from 'node:http'
import { createRequire } from 'node:module'
import type * as OpenTelemetry from '@opentelemetry/api'
import type { Attributes, Context, Span, SpanContext } from '@opentelemetry/api'
import { kindOf } from './errors/errors.ts'
import { version } from './version.ts'

// Spans use OpenTelemetry's API: a registered SDK gets them, and without one there are none. The W3C headers are read and written here, so
// that a trace also passes through a provider without an SDK.

/** The current request and trace. */
interface Scope {
  requestId: string | undefined
  /** Not set without a trace. */
  context: Context | undefined
}

const scopes = new AsyncLocalStorage<Scope>()

const require = createRequire(import.meta.url)
/** Loaded for the first trace: its 44 files take longer than many a command. */
const api = (): typeof OpenTelemetry => require('@opentelemetry/api')
/** Where every copy of the API keeps what is registered. */
const registered = Symbol.for('opentelemetry.js.api.1')
/** Whether an SDK is registered. */
const isTraced = (): boolean => registered in globalThis

/** Looked up at each use: an SDK may be registered at any time. */
const tracer = () => api().trace.getTracer('purveyor', version)

/** The context of the innermost span: one of the adapter's own code, or of ours. */
function currentContext(): Context {
  const { context, trace } = api()
  const active = context.active()
  return trace.getSpan(active) ? active : (scopes.getStore()?.context ?? active)
}

function spanContextOf(of: Context): SpanContext | undefined {
  const { isSpanContextValid, trace } = api()
  const found = trace.getSpanContext(of)
  return found && isSpanContextValid(found) ? found : undefined
}

/** The ids for a log line of this moment. */
export function currentIds(): { requestId?: string | undefined; traceId?: string | undefined } {
  const scope = scopes.getStore()
  const traced = scope?.context !== undefined || isTraced()
  return {
    requestId: scope?.requestId,
    traceId: traced ? spanContextOf(currentContext())?.traceId : undefined,
  }
}

/** A request, or a part of its work, with its span where an SDK listens. */
export class OpenSpan {
  readonly #span: Span | undefined
  readonly #scope: Scope

  constructor(span: Span | undefined, scope: Scope) {
    this.#span = span
    this.#scope = scope
  }

  /** Not set without a trace. */
  get traceId(): string | undefined {
    const { context } = this.#scope
    return context && spanContextOf(context)?.traceId
  }

  /** Everything that runs in the work, or follows from it, belongs to the span. */
  run<T>(work: () => T): T {
    const { context } = this.#scope
    return scopes.run(this.#scope, this.#span && context ? () => api().context.with(context, work) : work)
  }

  /** The status of its answer, which is an error from `failsFrom` on. */
  answered(status: number, failsFrom: number): void {
    this.#span?.setAttribute('http.response.status_code', status)
    if (status >= failsFrom) this.#span?.setStatus({ code: api().SpanStatusCode.ERROR })
  }

  /** An error is recorded by its class only: its message may repeat what a customer typed. */
  end(failure?: { error: unknown }): void {
    if (!this.#span) return
    if (failure) {
      this.#span.setAttribute('error.type', kindOf(failure.error))
      this.#span.setStatus({ code: api().SpanStatusCode.ERROR })
    }
    this.#span.end()
  }
}

/** The span of a request is a child of the one that `traceparent` names, or of one that is active where the router is mounted. */
export function requestSpan(
  headers: IncomingHttpHeaders,
  { method, route, requestId }: { method: string; route: string; requestId: string },
): OpenSpan {
  const parent = parentOf(headers)
  if (!isTraced()) return new OpenSpan(undefined, { requestId, context: parent })
  const { ROOT_CONTEXT, SpanKind, trace } = api()
  const attributes = {
    'http.request.method': method,
    'http.route': route,
    'purveyor.request_id': requestId,
  }
  const span = tracer().startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent)
  return new OpenSpan(span, { requestId, context: trace.setSpan(parent ?? ROOT_CONTEXT, span) })
}

function parentOf(headers: IncomingHttpHeaders): Context | undefined {
  if (isTraced()) {
    const { context, trace } = api()
    const active = context.active()
    if (trace.getSpan(active)) return active
  }
  return headers.traceparent === undefined ? undefined : remoteContext(headers)
}

/** Runs work outside the current request and trace. */
export const apart = <T>(work: () => T): T =>
  scopes.exit(() => (isTraced() ? api().context.with(api().ROOT_CONTEXT, work) : work()))

/** `undefined` where nobody listens: `attributes` is not called then. */
export function startSpan(
  name: string,
  attributes: () => Attributes,
  kind: 'INTERNAL' | 'CLIENT' = 'INTERNAL',
): OpenSpan | undefined {
  if (!isTraced()) return undefined
  const { SpanKind, trace } = api()
  const outer = currentContext()
  const span = tracer().startSpan(name, { kind: SpanKind[kind], attributes: attributes() }, outer)
  const requestId = scopes.getStore()?.requestId
  return new OpenSpan(span, { requestId, context: trace.setSpan(outer, span) })
}

/** Runs work in a span, until it ends. */
export async function inSpan<T>(span: OpenSpan | undefined, work: () => Promise<T>): Promise<T> {
  if (!span) return work()
  try {
    const result = await span.run(work)
    span.end()
    return result
  } catch (error) {
    span.end({ error })
    throw error
  }
}

/** Runs an outgoing call. `work` gets the headers that pass the trace on, if there is one. */
export function outgoingSpan<T extends { status: number }>(
  url: string,
  method: string,
  work: (headers: Record<string, string> | undefined) => Promise<T>,
): Promise<T> {
  if (!isTraced()) return work(traceHeaders())
  const { hostname, port } = new URL(url)
  const attributes = () => ({
    'http.request.method': method,
    'server.address': hostname,
    'server.port': Number(port) || undefined,
  })
  const span = startSpan(method, attributes, 'CLIENT')
  return inSpan(span, async () => {
    const answer = await work(traceHeaders())
    span?.answered(answer.status, 400)
    return answer
  })
}

const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

function remoteContext({ traceparent: header, tracestate }: IncomingHttpHeaders): Context | undefined {
  const [, version, traceId, spanId, flags, more] = traceparent.exec(String(header ?? '')) ?? []
  if (!traceId || !spanId || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  const { createTraceState, isSpanContextValid, ROOT_CONTEXT, trace, TraceFlags } = api()
  const traceFlags = Number.parseInt(flags!, 16) & TraceFlags.SAMPLED
  const state = typeof tracestate === 'string' && tracestate.length <= 512 ? tracestate : undefined
  const spanContext = {
    traceId,
    spanId,
    traceFlags,
    isRemote: true,
    traceState: state === undefined ? undefined : createTraceState(state),
  }
  return isSpanContextValid(spanContext) ? trace.setSpanContext(ROOT_CONTEXT, spanContext) : undefined
}

function traceHeaders(): Record<string, string> | undefined {
  if (!isTraced() && !scopes.getStore()?.context) return undefined
  const found = spanContextOf(currentContext())
  if (!found) return undefined
  const { traceId, spanId, traceFlags, traceState } = found
  const state = traceState?.serialize()
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    ...(state ? { tracestate: state } : {}),
  }
}
