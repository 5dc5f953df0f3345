import { type CodePlace, isOwnFile, pathOf } from '../../code-place.ts'

type Found = { name: string; value?: { objectId?: string; value?: unknown } }

interface Location {
  scriptId: string
  lineNumber: number
  columnNumber: number
}

const key = 'purveyor: the function that is looked for'
/** A bound function may be bound again. */
const mostBound = 5

/** The files of scripts by their ids, as far as they were asked for. Asking reports all scripts of the process, which takes a while. */
const files = new Map<string, string>()

/**
 * The place where a function of the developer is written, as the debugger of this process has it. `undefined` for a value of another kind,
 * for a function of a package, and where Node has no debugger. Takes milliseconds, so it is for development only.
 */
export function placeOfFunction(code: unknown): CodePlace | undefined {
  if (typeof code !== 'function') return undefined
  try {
    return found(code)
  } catch {
    return undefined
  }
}

function found(code: unknown): CodePlace | undefined {
  const inspector = process.getBuiltinModule?.('node:inspector')
  if (!inspector) return undefined
  const session = new inspector.Session()
  session.connect()
  session.on('Debugger.scriptParsed', ({ params }) => files.set(params.scriptId, params.url))
  const ask = <Answer>(method: string, params: object = {}): Answer => {
    let answer: unknown
    // Within one thread the answer comes before the call ends.
    session.post(method, params, (_error, given) => {
      answer = given
    })
    return answer as Answer
  }
  try {
    // The debugger names values by expressions.
    Reflect.defineProperty(globalThis, key, { value: code, configurable: true })
    const { result } = ask<{ result: { objectId?: string } }>('Runtime.evaluate', {
      expression: `globalThis[${JSON.stringify(key)}]`,
    })
    let { objectId } = result
    for (let bound = 0; bound < mostBound && objectId !== undefined; bound++) {
      const { internalProperties = [] } = ask<{ internalProperties?: Found[] }>('Runtime.getProperties', {
        objectId,
        ownProperties: true,
      })
      const internal = (name: string) => internalProperties.find((one) => one.name === name)?.value
      const location = internal('[[FunctionLocation]]')?.value as Location | undefined
      if (location) {
        if (!files.has(location.scriptId)) ask('Debugger.enable')
        return placeIn(files.get(location.scriptId), location)
      }
      objectId = internal('[[TargetFunction]]')?.objectId
    }
    return undefined
  } finally {
    Reflect.deleteProperty(globalThis, key)
    session.disconnect()
  }
}

function placeIn(url: string | undefined, { lineNumber, columnNumber }: Location): CodePlace | undefined {
  const file = url === undefined || url === '' ? undefined : pathOf(url)
  if (file === undefined || !file.startsWith('/') || !isOwnFile(file)) return undefined
  return { file, line: lineNumber + 1, column: columnNumber + 1 }
}
