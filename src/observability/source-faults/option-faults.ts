import { basename, join, resolve } from 'node:path'
import { delimiterOf } from '../../adapters/csv.ts'
import type { CodePlace } from '../../code-place.ts'
import type { ErrorFault, PurveyorError } from '../../errors.ts'
import { findIn, findInProject, linesOf, literally, type SourceLine, sourceLine } from './source-lines.ts'

/** The codes of files of data, whose errors name the file as the code does. */
const ofData: readonly string[] = ['RATE_TABLE_INVALID', 'PICKUP_POINTS_INVALID', 'PRODUCT_FACTS_INVALID']
/** The most faults that are shown. */
const most = 5
/** How far below its call an option is looked for, in lines. */
const near = 60

/** Each fault of options where it stands in the code, or at the call that got the options. */
export function optionLines(
  { faults, message }: PurveyorError,
  call: CodePlace | undefined,
  folder: string,
): SourceLine[] {
  const given: readonly ErrorFault[] = faults.length > 0 ? faults : [{ message }]
  return given.slice(0, most).flatMap((fault) => {
    const words = wordsOf(fault)
    const place =
      inEnvironment(words, folder) ??
      ofAdapter(words, folder) ??
      ofBrand(fault, folder) ??
      ofCall(fault, call)
    return place ? [sourceLine(place, folder, words)] : []
  })
}

const wordsOf = ({ path, message }: ErrorFault) => (path === undefined ? message : `${path} ${message}`)

const variable = /\b(?:PURVEYOR_[A-Z_]+|PORT)\b/

/** A setting of `.env`. */
function inEnvironment(words: string, folder: string): CodePlace | undefined {
  const [name] = variable.exec(words) ?? []
  return name === undefined
    ? undefined
    : findIn(join(folder, '.env'), new RegExp(`^(?:export )?${name}\\s*=`))
}

/** The line in the source files of a project that gives an adapter its name. `undefined` for one of a package. */
export const placeOfAdapter = (name: string, folder: string): CodePlace | undefined =>
  findInProject(folder, new RegExp(`\\bname:\\s*['"\`]${literally(name)}['"\`]`))

/** A member of an adapter, in the file that gives the adapter its name. */
function ofAdapter(words: string, folder: string): CodePlace | undefined {
  const [, name] = /(?:adapter|of) "([^"]+)"/.exec(words) ?? []
  const place = name && placeOfAdapter(name, folder)
  if (!place) return undefined
  const [, member] = /no member (\w+)/.exec(words) ?? /: ([\w.]+) of "/.exec(words) ?? []
  return (member && keyBelow(place.file, member, place.line)) || place
}

/** A member of the provider's brand, where that is declared: in a template it has a file of its own. */
function ofBrand({ path = '' }: ErrorFault, folder: string): CodePlace | undefined {
  const [, member] = /^payments\.brand\.(?:\w+\.)*(\w+)$/.exec(path) ?? []
  const place = member === undefined ? undefined : findInProject(folder, /\bbrand\b[^=,;(){}]*=\s*\{/)
  return place && keyBelow(place.file, member!, place.line)
}

/** An option below its call: by the last of its names that is there. */
function ofCall({ path = '' }: ErrorFault, call: CodePlace | undefined): CodePlace | undefined {
  if (!call) return undefined
  const [words = ''] = path.split(' ')
  const names = words.split('.').filter((name) => /^[A-Za-z_$][\w$]*$/.test(name))
  // A setting of the environment may stand in the code too: then its own name does, and not only that of its group.
  const wanted = variable.test(path) ? names.slice(-1) : names.toReversed()
  for (const name of wanted) {
    const place = keyBelow(call.file, name, call.line)
    if (place) return place
  }
  // A setting that is in no file comes from the environment.
  return variable.test(path) ? undefined : call
}

function keyBelow(file: string, key: string, from: number): CodePlace | undefined {
  const declared = new RegExp(`(?<![\\w$'"-])(['"]?)${literally(key)}\\1\\s*[:,}(=]`)
  const place = findIn(file, declared, from)
  return place && place.line < from + near ? place : undefined
}

/**
 * Each fault of a file of data, such as a tariff: its faults start with `tariff.csv:3 price_excl`, the line and the name of the column. The
 * file that cannot be read is named where the code names it.
 */
export function fileLines({ code, place, faults, message }: PurveyorError, folder: string): SourceLine[] {
  if (place === undefined || !(place.startsWith('/') || ofData.includes(code))) return []
  const file = resolve(folder, place)
  const given =
    faults.length > 0
      ? faults.map(({ path, message: said }) => (path === undefined ? said : `${path}: ${said}`))
      : message.split('\n')
  const [header = ''] = linesOf(file)
  const delimiter = delimiterOf(header)
  const lines = given.slice(0, most).flatMap((words) => {
    const [, line, said = '', cell = ''] = /^[^:]*:(\d+) ((.+?): .*)$/.exec(words.trim()) ?? []
    if (line === undefined) return []
    const text = linesOf(file)[Number(line) - 1] ?? ''
    const column = file.endsWith('.json')
      ? text.search(/\S/) + 1
      : columnOf(text, placeIn(header.split(delimiter), cell), delimiter)
    return [{ ...sourceLine({ file, line: Number(line), column }, folder, said), cell }]
  })
  const named = lines.length > 0 ? undefined : findInProject(folder, new RegExp(literally(basename(file))))
  return named ? [sourceLine(named, folder)] : lines
}

/** The place of a column in the header, from 1. For `line` and `file`, which name no column, it is 1. */
const placeIn = (header: readonly string[], name: string): number =>
  header.findLastIndex((one) => one.replace(quotes, '').trim().toLowerCase() === name) + 1 || 1

const quotes = /^\uFEFF|"/g

/** Where a cell begins in a line of CSV. */
function columnOf(line: string, cell: number, delimiter: string): number {
  let [quoted, at] = [false, 1]
  for (const [index, character] of [...line].entries()) {
    if (at === cell) return index + 1
    if (character === '"') quoted = !quoted
    else if (!quoted && character === delimiter) at++
  }
  return at === cell ? line.length + 1 : 1
}
