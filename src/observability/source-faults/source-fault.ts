import { blamedBy, type CodePlace, ownFrames } from '../../code-place.ts'
import { PurveyorError } from '../../errors.ts'
import { adapterPlace } from './adapter-place.ts'
import { moduleFault } from './module-faults.ts'
import { fileLines, optionLines } from './option-faults.ts'
import { readRemedy } from './read-fault.ts'
import { realFolder, type SourceLine, shownPath, sourceLine } from './source-lines.ts'
import { ThrownValue, throwErrors, thrownPlace, thrownWords, whileLoading } from './thrown-value.ts'

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
  if (error instanceof ThrownValue) return thrownFault(error.value, folder, error.file)
  if (!(error instanceof Error)) return thrownFault(error, folder)
  // An error of a command says enough, and one that wraps the fault of a module is about that.
  const wrapped = error.cause instanceof Error && isOfCommand(error) ? error.cause : error
  const module = moduleFault(wrapped, folder)
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
  if (error instanceof PurveyorError) {
    const isOptions = error.code === 'CONFIGURATION_INVALID'
    const found = isOptions ? optionLines(error, calls[0], folder) : fileLines(error, folder)
    const lines =
      found.length > 0 || isOptions
        ? found
        : placesOf(error, folder).map((place) => sourceLine(place, folder))
    // The faults of options say what to write, and so does that of a file that cannot be read.
    const remedy = found.length > 0 && (isOptions || !found[0]?.message) ? undefined : error.remedy
    return { message: messageOf(error, lines), lines, ...(remedy !== undefined && { remedy }), frames }
  }
  const lines = placesOf(error, folder).map((place) => sourceLine(place, folder))
  const remedy = readRemedy(error, calls[0]?.file)
  return { message: wordsOf(error), lines, ...(remedy !== undefined && { remedy }), frames }
}

/** The first call in the developer's code of an error or of its cause, otherwise the adapter that its cause or it is about. At most one. */
function placesOf(error: Error, folder: string): CodePlace[] {
  const errors = [error, error.cause]
  const [call] = errors.flatMap(ownFrames)
  if (call) return [call]
  const blamed = errors
    .toReversed()
    .map(blamedBy)
    .find((one) => one !== undefined)
  return [(blamed && adapterPlace(blamed, folder)) ?? []].flat()
}

function thrownFault(value: unknown, folder: string, file?: string): SourceFault {
  const place = thrownPlace(value, folder, file)
  return {
    message: `${thrownWords(value)}${whileLoading(file, folder)}`,
    lines: place ? [sourceLine(place, folder)] : [],
    remedy: throwErrors,
    frames: [],
  }
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

/** A fault as one text with lines. */
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

function lineText({ file, line, column, cell, text }: SourceLine, message: string | undefined): string[] {
  const isData = cell !== undefined
  const place = [file, line, ...(column === undefined || isData ? [] : [column])].join(':')
  const head = `  ${place}${message === undefined ? '' : `${isData ? ' ' : '  '}${message}`}`
  if (text === undefined) return [head]
  const number = String(line)
  const margin = ' '.repeat(number.length)
  const mark = column === undefined ? [] : [`  ${margin} | ${' '.repeat(column - 1)}^`]
  return [head, `  ${number} | ${text}`, ...mark]
}
