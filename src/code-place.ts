/** A place in a file of code. Lines and columns count from 1. */
export interface CodePlace {
  /** The full path. */
  file: string
  line: number
  column: number
}

/** A call on a stack, with the name of its function if it has one. */
export interface CodeFrame extends CodePlace {
  name?: string
}

/** The folder of this framework: its source, or its build. */
const own = new URL('./', import.meta.url).pathname
/** A build holds the sample provider too, and that is a developer's code. */
const sample = `${own}templates/`

const frame = /^ {4}at (?:(.*?) \()?(?:async )?((?:file:\/\/)?\/[^()]+?):(\d+):(\d+)\)?$/

/**
 * The calls in the stack of an error that are in the developer's own code, innermost first: without those of Node, of this framework and of
 * packages. Empty for a value that is no error.
 */
export function ownFrames(error: unknown): CodeFrame[] {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return []
  // The message may have lines that look like a stack.
  const message = String(error.message)
  const after = error.stack.indexOf(message)
  const places = after < 0 ? error.stack : error.stack.slice(after + message.length)
  return places.split('\n').flatMap((text): CodeFrame[] => {
    const [, given = '', where, line, column] = frame.exec(text) ?? []
    const file = where === undefined ? undefined : pathOf(where)
    if (file === undefined || !isOwnFile(file)) return []
    const name = given.replace(/^async /, '')
    return [{ ...(name !== '' && { name }), file, line: Number(line), column: Number(column) }]
  })
}

/** The first place of the stack in the developer's own code, as `rates.ts:16`. */
export function placeOf(error: unknown): string | undefined {
  const [first] = ownFrames(error)
  return first && `${first.file.slice(first.file.lastIndexOf('/') + 1)}:${first.line}`
}

/** The path of a file, given as a path or as an address, whose query is no part of it. */
export function pathOf(file: string): string | undefined {
  if (!file.startsWith('file:')) return file
  const path = URL.parse(file)?.pathname
  return path === undefined ? undefined : decodeURIComponent(path)
}

/** Whether a file, given by its path, is a developer's: not of this framework, and not of a package. */
const isOwnFile = (file: string): boolean =>
  !file.includes('/node_modules/') &&
  // Code of the command line, and of `eval`.
  !file.includes('/[') &&
  (!file.startsWith(own) || file.startsWith(sample))
