import { jsonIn } from '../../contract/texts.ts'
import { faultLines, faultText, sourceFault } from '../../observability/source-faults/source-fault.ts'
import { printable } from '../../printable.ts'
import type { ProviderFault } from '../../sandbox/index.ts'
import { type Colour, coloured } from '../terminal/tables.ts'

export type { ProviderFault } from '../../sandbox/index.ts'

/** A fault as the process of a provider sends it to the process that started it. `exitCode` is that of a command with this error. */
export type SentFault = ProviderFault & { exitCode?: number }

/** A provider did not start, or its process ended. Ends a command as the error itself would. */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed'
  readonly fault: ProviderFault
  readonly exitCode: number | undefined
  readonly code: string | undefined

  constructor({ exitCode, ...fault }: SentFault) {
    super(faultText(fault))
    this.fault = fault
    this.exitCode = exitCode
    this.code = fault.code
    if (fault.stack !== undefined) this.stack = fault.stack
  }
}

export function faultOf(error: unknown): SentFault {
  const { code, exitCode, stack }: Partial<SentFault> = error instanceof Error ? error : {}
  return { ...sourceFault(error), code, exitCode, stack }
}

/** The text of the terminal for a provider that does not run, without a line break at its end. */
export function notRunning(fault: ProviderFault): string {
  const { code, stack, lines } = fault
  // An error in none of the provider's files may be ours: all its frames lead to it.
  const isOurs = lines.length === 0 && code === undefined && stack !== undefined
  return `The provider is not running: ${isOurs ? stack : faultText(fault)}`
}

/** `ms` is how long the answer took, or the adapter blocked the process. */
type LogLine = Partial<Record<'time' | 'level' | 'method' | 'ms', number>> &
  Partial<Record<'msg' | 'adapter' | 'order' | 'anomaly' | 'code' | 'fault', string>> & {
    req?: { method?: string; route?: string }
    res?: { status?: number }
    err?: Partial<ProviderFault>
  }

/**
 * The lines of a terminal for a line of a log that is about the developer's own code. An error is red, with its place. A method that was
 * left out, was repaired or looks wrong is one yellow line; so is an adapter that blocks the process. None for a line that another one
 * repeats, and `undefined` for other lines. `text` is JSON.
 */
export function logLines(text: string): string[] | undefined {
  const line = Object(jsonIn(text)) as LogLine
  const { adapter, method, order, msg = '', err, fault, code, ms = 0, req, res } = line
  // Its faults come in a line of their own, once for each cause.
  if (msg === 'payment method left out' && method !== undefined) return []
  if (msg === 'answered' && (line.level ?? 0) >= 50) {
    // The line of its error came before.
    if (!req?.route || res?.status === undefined) return undefined
    const status = [res.status, code].filter(Boolean).join(' ')
    return shown(line, 'red', `${req.method} ${req.route} is answered ${status} (${Math.round(ms)} ms)`)
  }
  // The line of the report itself says more.
  if (line.anomaly === 'unknown_status') return []
  if (err?.message !== undefined && err.lines && (err.lines.length > 0 || adapter !== undefined)) {
    const { message, lines, remedy, frames = [] } = err
    const [first = '', ...more] = faultLines({ message, lines, remedy, frames })
    const about = adapter === undefined ? msg : ofAdapter(msg, adapter, first)
    return shown(line, 'red', `${about}: ${first}`, more)
  }
  const took = Math.round(ms).toLocaleString('en')
  if (msg === 'an adapter blocked the event loop' && adapter !== undefined)
    return shown(
      line,
      'yellow',
      `adapter "${adapter}" blocked the event loop for ${took} ms: no other call is answered meanwhile`,
    )
  const isReport = order !== undefined && msg === 'a report looks wrong'
  const ofMethod = method !== undefined && `method ${method} ${events[code ?? msg] ?? 'is odd'}`
  const about = isReport ? `the report about order ${order} looks wrong` : ofMethod
  if (fault === undefined || !about) return undefined
  return shown(line, 'yellow', `adapter "${adapter}": ${about}: ${fault}`)
}

/** The words of an error with its adapter, which those of the error may name. */
function ofAdapter(msg: string, adapter: string, said: string): string {
  if (msg.includes('adapter')) return msg.replace('adapter', `adapter "${adapter}"`)
  return said.includes(`"${adapter}"`) ? msg : `adapter "${adapter}": ${msg}`
}

/** The end of a line about a method. */
const events: Record<string, string> = {
  ...{ METHOD_LEFT_OUT: 'is left out', 'a method was given an id': 'was repaired' },
  ...{ PRICES_DISAGREE: 'looks wrong', 'a price looks wrong': 'looks wrong' },
}

const shown = ({ time }: LogLine, colour: Colour, first: string, more: readonly string[] = []): string[] => [
  timed(colour, first, time),
  ...more.map(printable),
]

/** A line of the terminal with its time: `[15:04:05] tariff.csv:3 ...`. `time` is in milliseconds since 1970, by default now. */
export function timed(colour: Colour, text: string, time = Date.now()): string {
  const at = new Date(time).toTimeString().slice(0, 8)
  return `[${at}] ${coloured(colour, printable(text), process.stderr)}`
}
