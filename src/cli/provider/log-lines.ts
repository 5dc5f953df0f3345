import { placeOfAdapter } from '../../observability/source-faults/option-faults.ts'
import { faultLines, type SourceFault } from '../../observability/source-faults/source-fault.ts'
import { realFolder, shownPath } from '../../observability/source-faults/source-lines.ts'
import { printable } from '../../printable.ts'
import { type Colour, coloured } from '../terminal/tables.ts'

/** Its faults come in a line of their own, once for each cause. */
const saidOnce = 'payment method left out'

const blocked = 'an adapter blocked the event loop'

const oddReport = 'a report looks wrong'

/** A line of a provider's log, as far as it is shown here. */
interface LogLine {
  time?: number
  level?: number
  msg?: string
  adapter?: string
  method?: number
  order?: string
  anomaly?: string
  code?: string
  fault?: string
  place?: string
  req?: { method?: string; route?: string }
  res?: { status?: number }
  /** How long the answer took, or the adapter blocked the process. */
  ms?: number
  err?: Partial<SourceFault>
}

/**
 * The lines of a terminal for a line of a log that is about the developer's own code. An error is red, with its place. A method that was
 * left out, was repaired or looks wrong is one yellow line, with the place of its adapter; so is an adapter that blocks the process. None for a line that another one repeats, and
 * `undefined` for other lines. `text` is JSON, and `folder` that of the project, by default the working directory.
 */
export function logLines(text: string, folder?: string): string[] | undefined {
  const line = read(text)
  if (!line) return undefined
  const { adapter, method, msg = '', err, fault } = line
  if (msg === saidOnce && method !== undefined) return []
  if (msg === 'answered' && (line.level ?? 0) >= 50) return answered(line)
  // The line of the report itself says more.
  if (line.anomaly === 'unknown_status') return []
  const place = line.place ?? (adapter === undefined ? undefined : declaredAt(adapter, folder))
  if (err?.message !== undefined && err.lines && (err.lines.length > 0 || adapter !== undefined)) {
    const { message, lines, remedy, frames = [] } = err
    const [first = '', ...more] = faultLines({
      message,
      lines,
      frames,
      ...(remedy !== undefined && { remedy }),
    })
    const about = adapter === undefined ? msg : msg.replace('adapter', `adapter "${adapter}"`)
    const at = lines.length > 0 || place === undefined ? '' : ` (${place})`
    return shown(line, 'red', [`${about}: ${first}${at}`, ...more])
  }
  if (msg === blocked && adapter !== undefined) return shown(line, 'yellow', [blockedText(line, place)])
  const about = subjectOf(line)
  if (fault === undefined || about === undefined) return undefined
  const at = place === undefined ? '' : ` (${place})`
  return shown(line, 'yellow', [`adapter "${adapter}": ${about}: ${fault}${at}`])
}

/** The line of a call that failed. The line of its error came before. */
function answered(line: LogLine): string[] | undefined {
  const { req, res, ms, code } = line
  if (!req?.route || res?.status === undefined) return undefined
  const why = code === undefined ? '' : ` ${code}`
  return shown(line, 'red', [
    `${req.method} ${req.route} is answered ${res.status}${why} (${Math.round(ms ?? 0)} ms)`,
  ])
}

const blockedText = ({ adapter, ms = 0 }: LogLine, place: string | undefined): string => {
  const at = place === undefined ? '' : ` (${place})`
  const took = Math.round(ms).toLocaleString('en')
  return `adapter "${adapter}" blocked the event loop for ${took} ms: no other call is answered meanwhile${at}`
}

/** The subject of a line about a fault of an adapter, and what becomes of it. */
function subjectOf({ method, order, msg = '', code }: LogLine): string | undefined {
  if (order !== undefined && msg === oddReport) return `the report about order ${order} looks wrong`
  if (method === undefined) return undefined
  return `method ${method} ${events[code ?? msg] ?? 'is odd'}`
}

const events: Record<string, string> = {
  METHOD_LEFT_OUT: 'is left out',
  PRICES_DISAGREE: 'looks wrong',
  'a method was given an id': 'was repaired',
  'a price looks wrong': 'looks wrong',
}

/** The place of an adapter, which may be one that another holds: `rates.ts:16`. */
function declaredAt(adapter: string, given: string | undefined): string | undefined {
  const folder = realFolder(given ?? process.cwd())
  const place = placeOfAdapter(adapter.slice(adapter.lastIndexOf('/') + 1), folder)
  return place && `${shownPath(place.file, folder)}:${place.line}`
}

const shown = ({ time }: LogLine, colour: Colour, [first = '', ...more]: string[]): string[] => [
  timed(colour, first, time),
  ...more.map(printable),
]

/** A line of the terminal with its time: `[15:04:05] tariff.csv:3 ...`. `time` is in milliseconds since 1970, by default now. */
export function timed(colour: Colour, text: string, time = Date.now()): string {
  const at = new Date(time).toTimeString().slice(0, 8)
  return `[${at}] ${coloured(colour, printable(text), process.stderr)}`
}

function read(text: string): LogLine | undefined {
  try {
    const line: unknown = JSON.parse(text)
    return typeof line === 'object' && line !== null ? line : undefined
  } catch {
    return undefined
  }
}
