import { dirname, resolve } from 'node:path'
import type { CodePlace } from '../../code-place.ts'
import { findIn, linesOf, literally, projectFiles, shownPath } from './source-lines.ts'

const longest = 200
const mostFiles = 200

/** The next step for somebody whose code throws a text or an object. */
export const throwErrors = "Write throw new Error('...') instead: an error names the line that threw it."

/** A value other than an error that the code of a file threw while it was loaded. It has no stack. */
export class ThrownValue extends Error {
  override readonly name = 'ThrownValue'
  readonly value: unknown
  readonly file: string | undefined

  /** `file` is the full path of the one that was loaded, if that is known. */
  constructor(value: unknown, file?: string) {
    super(thrownWords(value))
    this.value = value
    this.file = file
    // It would be that of this framework.
    delete this.stack
  }
}

/** Such as `the code threw the text "x" and no error`. */
export function thrownWords(value: unknown): string {
  if (typeof value === 'string') return `the code threw the text "${value.slice(0, longest)}" and no error`
  return `the code threw ${kindOf(value)} and no error`
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/**
 * The only place in the code that can have thrown the value: the value carries none. `undefined` where there are several. Looks into the file
 * that was loaded and its imports, otherwise into the files of the project.
 */
export function thrownPlace(value: unknown, folder: string, file?: string): CodePlace | undefined {
  const files = file === undefined ? projectFiles(folder) : withImports(file)
  const exact = placesOf(files, new RegExp(`${thrower}${writtenAs(value)}`))
  if (exact.length > 0) return exact.length === 1 ? exact[0] : undefined
  // The value may have been computed.
  const all = file === undefined ? [] : placesOf(files, new RegExp(`${thrower}(?!new\\b)\\S`))
  return all.length === 1 ? all[0] : undefined
}

/** Where it was thrown, in words. */
export const whileLoading = (file: string | undefined, folder: string): string =>
  file === undefined ? '' : `, while ${shownPath(file, folder)} was loaded`

/** A line of code, up to what it throws. */
const thrower = '^(?!\\s*(?://|\\*)).*?\\b(?:throw\\s+|reject\\(\\s*)'

/** How code writes the value, as a pattern. */
function writtenAs(value: unknown): string {
  if (typeof value === 'string') return `(['"\`])${literally(value)}\\1`
  if (value === undefined) return '(?:undefined\\b|void 0|\\))'
  if (value === null || typeof value === 'number' || typeof value === 'boolean')
    return `${literally(String(value))}(?![\\w.])`
  return Array.isArray(value) ? '\\[' : '\\{'
}

function placesOf(files: readonly string[], pattern: RegExp): CodePlace[] {
  return files.flatMap((file) => {
    const places: CodePlace[] = []
    for (let from = 1; ; ) {
      const place = findIn(file, pattern, from)
      if (!place) return places
      const column = (linesOf(file)[place.line - 1] ?? '').search(/\b(?:throw\b|reject\()/) + 1
      places.push({ ...place, column })
      from = place.line + 1
    }
  })
}

/** A file and what it imports by a relative path, and so on. */
function withImports(first: string): string[] {
  const found = new Set([first])
  for (const file of found) {
    if (found.size >= mostFiles) break
    for (const line of linesOf(file))
      for (const [, , specifier] of line.matchAll(/(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/.+?)\1/g))
        found.add(resolve(dirname(file), specifier!))
  }
  return [...found]
}
