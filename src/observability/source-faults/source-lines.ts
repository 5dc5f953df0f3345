import { readFileSync, realpathSync } from 'node:fs'
import { relative } from 'node:path'

/** A line of a file that is at fault. Lines and columns count from 1. */
export interface SourceLine {
  /** From the folder of the project; the full path if the file lies elsewhere. */
  file: string
  line: number
  column?: number
  /** The line itself. Not set for one that may hold a secret. */
  text?: string
  /** The lines before and after a line of code, as far as they may be shown. */
  before?: string
  after?: string
  /** Its fault, where an error has several. */
  message?: string
}

/** A line longer than this is built by a program. */
const longestLine = 300
const mayHoldSecret = /secret|password|token|api_?key|credential/i

/** The path from a folder. */
export function shownPath(file: string, folder: string): string {
  const path = relative(folder, file)
  return path === '' || path.startsWith('..') ? file : path
}

/** A place with its line, for people; one with a column is of code. Tabs become spaces, so that a mark below the line stands where it should. */
export function sourceLine(
  { file, line, column }: { file: string; line: number; column?: number | undefined },
  folder: string,
  message?: string,
): SourceLine {
  const lines = linesOf(file)
  const shown = (name: 'before' | 'text' | 'after', at: number) => {
    const text = lines[at - 1]?.replaceAll('\t', ' ')
    const isShown = text !== undefined && text.length <= longestLine && !mayHoldSecret.test(text)
    return isShown && (name === 'text' || text.trim() !== '') && { [name]: text }
  }
  return {
    file: shownPath(file, folder),
    line,
    ...(column !== undefined && { column, ...shown('before', line - 1), ...shown('after', line + 1) }),
    ...shown('text', line),
    ...(message !== undefined && { message }),
  }
}

/** A file as lines; empty if it cannot be read. */
export function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)
  } catch {
    return []
  }
}

/** A folder as the paths of its modules have it. */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
