import { readFileSync, realpathSync } from 'node:fs'
import { basename, relative } from 'node:path'
import { type CodePlace, pathOf } from '../../code-place.ts'
import { fileFault } from '../../file-fault.ts'

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
function linesOf(file: string): string[] {
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

/** Where a file could not be loaded, why in plain words, and what to do. */
export interface ModuleFault {
  place: Omit<CodePlace, 'column'> & { column?: number | undefined }
  message: string
  remedy: string
}

/** The fault of a module that Node cannot load, in Node's own words: its syntax, an import, a file of JSON. `undefined` for other errors. */
export function moduleFault(error: Error): ModuleFault | undefined {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return notFound(error)
  if (error instanceof SyntaxError) return ofJson(error) ?? ofSyntax(error)
  return undefined
}

/** Node puts file, line and code of a syntax error before its stack. */
function ofSyntax({ message, stack = '' }: Error): ModuleFault | undefined {
  const [before = ''] = stack.split(/^SyntaxError/m, 1)
  const [, where = '', line] = /^((?:file:\/\/)?\/.+):(\d+)\n/.exec(before) ?? []
  const file = line === undefined ? undefined : pathOf(where)
  if (file === undefined) return undefined
  const mark = /^( *)\^+ *$/m.exec(before)?.[1]?.length
  const place = { file, line: Number(line), column: mark === undefined ? undefined : mark + 1 }
  const isExport = message.startsWith('The requested module')
  const said = endsEarly(message) ? 'the file ends before its code does' : message
  return { place, message: isExport ? message : `Syntax error: ${said}`, remedy: remedyOf(message) }
}

const endsEarly = (message: string): boolean =>
  message.includes('`<eof>`') || message.startsWith('Unexpected end of input')

function remedyOf(message: string): string {
  if (message.startsWith('The requested module'))
    return 'Correct the name or the module. A type is imported with `import type`, or with `type` before its name.'
  if (message.includes('strip-only mode'))
    return 'Node removes types but does not translate TypeScript, so write this part in JavaScript.'
  if (endsEarly(message)) return 'Close the bracket, brace, quote or comment that is open further up.'
  return 'Correct this line, or the one before it.'
}

/** Node names what is missing and the file that imports it, and no line: that is the first one with its name. */
function notFound({ message }: Error): ModuleFault | undefined {
  const [, said = '', by = ''] = /^(.+) imported from (.+)$/m.exec(message) ?? []
  const file = pathOf(by)
  if (!file) return undefined
  const [, wanted = ''] =
    /^(?:Cannot find module|Cannot find package|Package subpath) '(.+?)'/.exec(said) ?? []
  const line = linesOf(file).findIndex((text) => /['"]/.test(text) && text.includes(basename(wanted))) + 1
  const target = wanted.startsWith('/') || wanted.startsWith('file:') ? pathOf(wanted) : undefined
  const remedy =
    target !== undefined
      ? `It ${fileFault(target, 'ENOENT').replace(/(?<!\?)$/, '.')} An import names the file with its own ending.`
      : said.startsWith('Package')
        ? 'Import what the package exports.'
        : `Run \`npm install ${wanted}\`, or correct the name.`
  const what = target === undefined ? said : `There is no file ${basename(target)}`
  return { place: { file, line: Math.max(line, 1) }, message: what, remedy }
}

function ofJson({ message }: Error): ModuleFault | undefined {
  const [, file, why] = /^(\/.+?\.json): ([\s\S]+)$/.exec(message) ?? []
  if (file === undefined || why === undefined) return undefined
  const [, line = '1', column] = /\(line (\d+) column (\d+)\)/.exec(why) ?? []
  const [first] = why.split(/, (?:\.\.\.)?"| in JSON/)
  const place = { file, line: Number(line), ...(column !== undefined && { column: Number(column) }) }
  const remedy = 'JSON has double quotes around names and texts, and no comma after the last value.'
  return { place, message: `${basename(file)} is not JSON: ${first}`, remedy }
}
