import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { CodePlace } from '../../code-place.ts'

/** A line of a file that is at fault. Lines and columns count from 1. */
export interface SourceLine {
  /** From the folder of the project; the full path if the file lies elsewhere. */
  file: string
  line: number
  column?: number
  /** The name of the column, in a file of data such as a tariff: its place is shown with that. */
  cell?: string
  /** The line itself. Not set for one that may hold a secret. */
  text?: string
  /** Its fault, where an error has several. */
  message?: string
}

/** A line longer than this is built by a program. */
const longestLine = 300
const mayHoldSecret = /secret|password|token|api_?key|credential/i
const source = /\.(?:[cm]?[jt]s)$/
const mostFiles = 200

/** A file as lines; empty if it cannot be read. */
export function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)
  } catch {
    return []
  }
}

/** The path from a folder. */
export function shownPath(file: string, folder: string): string {
  const path = relative(folder, file)
  return path === '' || path.startsWith('..') ? file : path
}

/** A place with its line, for people. Tabs become spaces, so that a mark below the line stands where it should. */
export function sourceLine(
  { file, line, column }: { file: string; line: number; column?: number | undefined },
  folder: string,
  message?: string,
): SourceLine {
  const text = linesOf(file)[line - 1]?.replaceAll('\t', ' ')
  const isShown =
    text !== undefined && text.length <= longestLine && !mayHoldSecret.test(text) && !isEnv(file)
  return {
    file: shownPath(file, folder),
    line,
    ...(column !== undefined && { column }),
    ...(isShown && { text }),
    ...(message !== undefined && { message }),
  }
}

const isEnv = (file: string): boolean => /(?:^|\/)\.env[^/]*$/.test(file)

/** The source files of a project, those of its folder `src` included. */
export function projectFiles(folder: string): string[] {
  return [folder, join(folder, 'src')]
    .flatMap((one) => namesIn(one).map((name) => join(one, name)))
    .filter((file) => source.test(file))
    .slice(0, mostFiles)
}

/** The names in a folder; none if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The first match in the source files of a project. */
export function findInProject(folder: string, pattern: RegExp): CodePlace | undefined {
  for (const file of projectFiles(folder)) {
    const place = findIn(file, pattern)
    if (place) return place
  }
  return undefined
}

/** The first match in a file from a line on. */
export function findIn(file: string, pattern: RegExp, from = 1): CodePlace | undefined {
  for (const [index, text] of linesOf(file).entries()) {
    if (index + 1 < from) continue
    const found = pattern.exec(text)
    if (found) return { file, line: index + 1, column: found.index + 1 }
  }
  return undefined
}

/** Text that a pattern takes as it is. */
export const literally = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')

/** A folder as the paths of its modules have it. */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
