import { faultLines, type SourceFault } from '../../observability/source-faults/source-fault.ts'
import { printable } from '../../printable.ts'
import { type Colour, coloured } from '../terminal.ts'

/** A line of a provider's log, as far as it is shown here. */
interface LogLine {
  time?: number
  level?: number
  msg?: string
  adapter?: string
  method?: number
  code?: string
  fault?: string
  err?: Partial<SourceFault>
}

/**
 * The lines of a terminal for a line of a log that is about the developer's own code: an error in red with its place, a method that was
 * left out or repaired in yellow on one line. `undefined` for other lines. `text` is JSON.
 */
export function logLines(text: string): string[] | undefined {
  const line = read(text)
  if (!line) return undefined
  const { adapter, method, msg = '', err, fault } = line
  if (err?.message !== undefined && err.lines && (err.lines.length > 0 || adapter !== undefined)) {
    const { message, lines, remedy, frames = [] } = err
    const [first = '', ...more] = faultLines({
      message,
      lines,
      frames,
      ...(remedy !== undefined && { remedy }),
    })
    const about = adapter === undefined ? msg : msg.replace('adapter', `adapter "${adapter}"`)
    return shown(line, 'red', [`${about}: ${first}`, ...more])
  }
  if (fault === undefined || method === undefined) return undefined
  const what = line.code === 'METHOD_LEFT_OUT' ? 'is left out' : 'was repaired'
  return shown(line, 'yellow', [`adapter "${adapter}": method ${method} ${what}: ${fault}`])
}

function shown({ time = Date.now() }: LogLine, colour: Colour, [first = '', ...more]: string[]): string[] {
  const at = new Date(time).toTimeString().slice(0, 8)
  const head = coloured(colour, printable(first), process.stderr)
  return [`[${at}] ${head}`, ...more.map(printable)]
}

function read(text: string): LogLine | undefined {
  try {
    const line: unknown = JSON.parse(text)
    return typeof line === 'object' && line !== null ? line : undefined
  } catch {
    return undefined
  }
}
