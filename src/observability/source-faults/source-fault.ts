import { resolve } from 'node:path'
import { ownFrames } from '../../code-place.ts'
import { PurveyorError } from '../../errors/errors.ts'
import { fileFault } from '../../file-fault.ts'
import { moduleFault, realFolder, type SourceLine, shownPath, sourceLine } from './source-lines.ts'

const longest = 200

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

/** An error as a developer needs it: what happened, in which lines of their files, and what to do. */
export interface SourceFault {
  message: string
  /** The lines at fault, the most important one first. Empty if the error is in no file of the developer. */
  lines: readonly SourceLine[]
  /** The next step. */
  remedy?: string
  /** The calls in the developer's own code, innermost first: `quote (rates.ts:16:5)`. */
  frames: readonly string[]
}

const mostFrames = 10

/**
 * The fault behind an error, with the lines of the developer's files as they are now. `folder` is that of their project, by default the
 * working directory. Never throws, whatever was thrown.
 */
export function sourceFault(error: unknown, folder?: string): SourceFault {
  try {
    // A working directory may be gone.
    return faultOf(error, realFolder(folder ?? process.cwd()))
  } catch {
    return { message: 'an error that cannot be read', lines: [], frames: [] }
  }
}

function faultOf(error: unknown, folder: string): SourceFault {
  if (error instanceof ThrownValue || !(error instanceof Error)) return thrownFault(error, folder)
  // An error of a command says enough, and one that wraps the fault of a module is about that.
  const module = moduleFault(error.cause instanceof Error && isOfCommand(error) ? error.cause : error)
  if (module) {
    const { place, message, remedy } = module
    return { message, lines: [sourceLine(place, folder)], remedy, frames: [] }
  }
  if (isOfCommand(error)) return { message: error.message, lines: [], frames: [] }
  const calls = ownFrames(error)
  const frames = calls.slice(0, mostFrames).map(({ name, file, line, column }) => {
    const place = `${shownPath(file, folder)}:${line}:${column}`
    return name === undefined ? place : `${name} (${place})`
  })
  const [call] = [error, error.cause].flatMap(ownFrames)
  const inCode = call ? [sourceLine(call, folder)] : []
  if (error instanceof PurveyorError) {
    const ofData = dataLines(error, folder)
    const ofCode = error.place === 'environment' ? [] : inCode
    const lines = ofData.length > 0 ? ofData : ofCode
    // The faults of options say what to write.
    const remedy = error.code === 'CONFIGURATION_INVALID' && call ? undefined : error.remedy
    return { message: messageOf(error, lines), lines, ...(remedy !== undefined && { remedy }), frames }
  }
  const remedy = calls.length === 0 ? undefined : readRemedy(error)
  return { message: wordsOf(error), lines: inCode, ...(remedy !== undefined && { remedy }), frames }
}

/** Such a value has no stack. */
function thrownFault(thrown: unknown, folder: string): SourceFault {
  const [value, file] = thrown instanceof ThrownValue ? [thrown.value, thrown.file] : [thrown]
  const loading = file === undefined ? '' : `, while ${shownPath(file, folder)} was loaded`
  return { message: `${thrownWords(value)}${loading}`, lines: [], remedy: throwErrors, frames: [] }
}

/** The most faults of a file whose lines are shown. */
const mostLines = 5

/** The line of each fault of a file of data, such as a tariff: its path is `tariff.csv:3 price_excl`, the line and the name of the column. */
function dataLines({ place = '', faults }: PurveyorError, folder: string): SourceLine[] {
  return faults.slice(0, mostLines).flatMap(({ path, message }) => {
    const words = path === undefined ? message : `${path}: ${message}`
    const [, line, said] = /^[^:]+:(\d+) (.+?: .*)$/.exec(words) ?? []
    const at = { file: resolve(folder, place), line: Number(line) }
    return line === undefined ? [] : sourceLine(at, folder, said)
  })
}

const isOfCommand = (error: Error): boolean => 'exitCode' in error

/** Where each fault has its line, what stands around their list; otherwise all of it. */
function messageOf({ message, faults }: PurveyorError, lines: readonly SourceLine[]): string {
  if (faults.length > lines.length || !lines.every((line) => line.message)) return message
  return message
    .split('\n')
    .filter((text) => !/^\s/.test(text))
    .join('\n')
}

/** The name of an error says what kind of mistake it is; `Error` says nothing. Its causes follow. */
function wordsOf(error: Error, depth = 0): string {
  const named = error.name === 'Error' ? error.message : `${error.name}: ${error.message}`
  return error.cause instanceof Error && depth < 3 ? `${named}: ${wordsOf(error.cause, depth + 1)}` : named
}

export const faultText = (fault: SourceFault): string => faultLines(fault).join('\n')

/** A fault as lines of text: the message, each line with a mark below its column, and the remedy. */
export function faultLines({ message, lines, remedy, frames }: SourceFault): string[] {
  const [first] = lines
  // A message with a list of its own has all that the lines say.
  const isWhole = /\n\s/.test(message)
  const isSingle = lines.length === 1 && first
  const said = isSingle && first.message !== undefined && !isWhole ? [first.message] : message.split('\n')
  return [
    ...said,
    ...lines.flatMap((line) => lineText(line, isSingle || isWhole ? undefined : line.message)),
    ...frames.slice(1).map((frame) => `    at ${frame}`),
    ...(remedy === undefined ? [] : [remedy]),
  ]
}

function lineText({ file, ...code }: SourceLine, message = ''): string[] {
  const place = [file, code.line, code.column ?? []].flat().join(':')
  return [`  ${place}  ${message}`.trimEnd(), ...codeLines(code).map((one) => `  ${one}`)]
}

/** A line with its number, and with a mark below its column and the lines around it where it is one of code. */
export function codeLines({ line, column, text, before, after }: Omit<SourceLine, 'file'>): string[] {
  if (text === undefined) return []
  const width = String(line + 1).length
  const numbered = (number: number | string, code: string | undefined) =>
    code === undefined ? [] : [`${String(number).padStart(width)} | ${code}`]
  return [
    ...numbered(line - 1, before),
    ...numbered(line, text),
    ...(column === undefined ? [] : numbered('', `${' '.repeat(column - 1)}^`)),
    ...numbered(line + 1, after),
  ]
}

const codes = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM'])

/** The remedy for a file that the developer's code cannot read, and for a text that is not JSON; `undefined` for other errors. */
function readRemedy(error: Error): string | undefined {
  if (error instanceof SyntaxError && error.stack?.includes('at JSON.parse'))
    return 'This text is empty, ends early or is not JSON: check the file or the answer that it comes from.'
  const { code = '', path, syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined || path === undefined || !codes.has(code)) return undefined
  return `${resolve(path)} ${fileFault(path, code)}`.replace(/(?<![?.])$/, '.')
}
