import { createRequire } from 'node:module'
import { basename, dirname, extname, resolve } from 'node:path'
import { type CodePlace, pathOf } from '../../code-place.ts'
import { nearest } from '../../use-cases/nearest.ts'
import { jsonFaultAt } from './json-place.ts'
import { linesOf, namesIn, projectFiles } from './source-lines.ts'

/** Where a file could not be loaded, why in plain words, and what to do. */
export interface ModuleFault {
  place: Omit<CodePlace, 'column'> & { column?: number | undefined }
  message: string
  remedy: string
}

/** The fault of a module that Node cannot load: its syntax, an import, a file of JSON. `undefined` for other errors. */
export function moduleFault(error: Error, folder: string): ModuleFault | undefined {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'ERR_MODULE_NOT_FOUND') return notFound(error)
  if (code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return noEntryPoint(error)
  if (code === 'ERR_IMPORT_ATTRIBUTE_MISSING') return attributeMissing(error, folder)
  if (code === 'ERR_UNKNOWN_BUILTIN_MODULE') return unknownBuiltIn(error, folder)
  if (error instanceof SyntaxError) return ofJson(error) ?? ofSyntax(error)
  return undefined
}

/** Node puts file, line and code of a syntax error before its stack. */
function ofSyntax({ message, stack = '' }: Error): ModuleFault | undefined {
  const [before = ''] = stack.split(/^SyntaxError/m, 1)
  const [, where = '', line] = /^((?:file:\/\/)?\/.+):(\d+)\n/.exec(before) ?? []
  const file = line === undefined ? undefined : pathOf(where)
  if (file === undefined) return undefined
  const text = linesOf(file)[Number(line) - 1] ?? ''
  const mark = /^( *)\^+ *$/m.exec(before)?.[1]?.length
  const place = { file, line: Number(line), column: (mark ?? text.trimEnd().length) + 1 }
  const said = endsEarly(message) ? 'the file ends before its code does' : message
  return (
    missingExport(message, place) ?? { place, message: `Syntax error: ${said}`, remedy: remedyOf(message) }
  )
}

const endsEarly = (message: string): boolean =>
  message.includes('`<eof>`') || message.startsWith('Unexpected end of input')

function remedyOf(message: string): string {
  if (message.includes('strip-only mode'))
    return 'Node runs TypeScript by leaving out its types, so write this part in JavaScript.'
  if (endsEarly(message))
    return 'Close what is open further up: a bracket, a brace, a quote or a comment has no end.'
  return 'Correct this line, or the one before it.'
}

const noExport = /^The requested module '(.+)' does not provide an export named '(.+)'$/

function missingExport(message: string, place: CodePlace): ModuleFault | undefined {
  const [, module, name] = noExport.exec(message) ?? []
  if (module === undefined || name === undefined) return undefined
  const said = `${module} has no export named ${name}`
  if (!module.startsWith('.')) {
    const elsewhere = partWith(name, module, place.file)
    if (elsewhere !== undefined)
      return { place, message: said, remedy: `${elsewhere} exports it: write from '${elsewhere}'.` }
    const installed = installedFile(module, place.file)
    const near = installed === undefined ? undefined : nearest(name, exportsOf(installed).values)
    const first = near === undefined ? 'Correct the name.' : `Did you mean ${near}?`
    const remedy = `${first} If ${name} is a type, write \`import type\` or \`type ${name}\`.`
    return { place, message: said, remedy }
  }
  const { values, types } = exportsOf(resolve(dirname(place.file), module))
  if (types.includes(name))
    return {
      place,
      message: `${name} of ${module} is a type`,
      remedy: `Write \`type ${name}\` in this import.`,
    }
  const near = nearest(name, values)
  const known = values.length === 0 ? 'nothing' : values.join(', ')
  return { place, message: said, remedy: near ? `Did you mean ${near}?` : `It exports ${known}.` }
}

const entryPoints = ['rates', 'contract', 'platform', 'sandbox', 'conformance', 'testing']
const parts = ['purveyor', ...entryPoints.map((name) => `purveyor/${name}`)]

/** The part of this framework that exports a name, for an import of another part of it. */
function partWith(name: string, module: string, importer: string): string | undefined {
  if (module !== 'purveyor' && !module.startsWith('purveyor/')) return undefined
  return parts.find((part) => {
    const file = part === module ? undefined : installedFile(part, importer)
    return file !== undefined && exportsOf(file).values.includes(name)
  })
}

/** The file that an import of a package loads. `undefined` where it cannot be found. */
function installedFile(module: string, importer: string): string | undefined {
  try {
    return createRequire(importer).resolve(module)
  } catch {
    return undefined
  }
}

function exportsOf(file: string): { values: string[]; types: string[] } {
  const text = linesOf(file).join('\n')
  const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!)
  const listed = named(/^export \{([^}]*)\}/gm)
    .flatMap((names) => names.split(','))
    .map((name) => name.trim().split(/ as /).at(-1)!.trim())
    .filter((name) => name !== '')
  return {
    values: [
      ...named(/^export (?:async )?(?:const|let|var|function\*?|class|enum) +([\w$]+)/gm),
      ...listed.filter((name) => !name.startsWith('type ')),
    ],
    types: [
      ...named(/^export (?:declare )?(?:type|interface) +([\w$]+)/gm),
      ...listed.filter((name) => name.startsWith('type ')).map((name) => name.slice('type '.length)),
    ],
  }
}

const missing = /^Cannot find (module|package) '(.+?)' imported from (.+)$/

function notFound(error: Error): ModuleFault | undefined {
  const [, kind, wanted = '', by = ''] = missing.exec(error.message.split('\n')[0]!) ?? []
  const importer = pathOf(by)
  if (kind === undefined || importer === undefined) return undefined
  if (kind === 'package') {
    const place = importOf(importer, (specifier) => `${specifier}/`.startsWith(`${wanted}/`))
    const remedy = `Run \`npm install ${wanted}\`, or correct the name.`
    return place && { place, message: `There is no package ${wanted}`, remedy }
  }
  const target = pathOf(wanted) ?? wanted
  const place = importOf(importer, (one) => one.startsWith('.') && resolve(dirname(importer), one) === target)
  return place && { place, message: `There is no file ${basename(target)}`, remedy: meantFile(target) }
}

/** An import names a file with its ending, which is that of the source. */
function meantFile(target: string): string {
  const names = namesIn(dirname(target)).filter((name) => /\.[cm]?[jt]sx?$|\.json$/.test(name))
  const name = basename(target)
  const stem = basename(name, extname(name))
  const same =
    names.find((one) => one.startsWith(`${name}.`)) ??
    names.find((one) => basename(one, extname(one)) === stem)
  if (same !== undefined) return `Write ${same}: an import names the file with its own ending.`
  const near = nearest(name, names)
  return near === undefined ? `Create ${name}, or correct the path.` : `Did you mean ${near}?`
}

/** The place of the import whose text fits. */
function importOf(file: string, fits: (specifier: string) => boolean): CodePlace | undefined {
  for (const [index, text] of linesOf(file).entries())
    for (const found of text.matchAll(/(?:from|import)\s*\(?\s*(['"])(.+?)\1/g))
      if (fits(found[2]!)) {
        const column = found.index + found[0].lastIndexOf(found[1]! + found[2]!) + 1
        return { file, line: index + 1, column }
      }
  return undefined
}

const importInProject = (folder: string, fits: (specifier: string) => boolean): CodePlace | undefined => {
  for (const file of projectFiles(folder)) {
    const place = importOf(file, fits)
    if (place) return place
  }
  return undefined
}

function noEntryPoint({ message }: Error): ModuleFault | undefined {
  const [, path, module, by] =
    /^Package subpath '\.\/(.+?)' is not defined by "exports" in (?:.*node_modules\/)?(.+)\/package\.json imported from (.+)$/.exec(
      message,
    ) ?? []
  if (path === undefined || module === undefined || by === undefined) return undefined
  const place = importOf(pathOf(by) ?? by, (one) => one === `${module}/${path}`)
  return place && { place, message: `${module} has no part ${path}`, remedy: meantPart(module, path, place) }
}

/** For this framework, the part with the names of the import, that with a similar name, or all of them. */
function meantPart(module: string, path: string, { file, line }: CodePlace): string {
  if (module !== 'purveyor') return 'Import what the package exports.'
  const [, listed = ''] = /\{([^}]*)\}/.exec(linesOf(file)[line - 1] ?? '') ?? []
  for (const one of listed.split(',')) {
    const name = one.trim().split(' ')[0]!
    const part = partWith(name, `${module}/${path}`, file)
    if (part !== undefined) return `${part} exports ${name}: write from '${part}'.`
  }
  const near = nearest(path, entryPoints)
  return near ? `Did you mean purveyor/${near}?` : `Its parts are ${parts.slice(1).join(', ')}.`
}

function attributeMissing({ message }: Error, folder: string): ModuleFault | undefined {
  const [, url] = /^Module "(.+?)" needs/.exec(message) ?? []
  const target = url && pathOf(url)
  if (!target) return undefined
  const place = importInProject(folder, (one) => one.startsWith('.') && basename(one) === basename(target))
  const remedy = `Write \`import name from './${basename(target)}' with { type: 'json' }\`.`
  return place && { place, message: `The import of ${basename(target)} does not say that it is JSON`, remedy }
}

function unknownBuiltIn({ message }: Error, folder: string): ModuleFault | undefined {
  const [, name = ''] = /: (\S+)$/.exec(message) ?? []
  const place = importInProject(folder, (one) => one === name)
  return place && { place, message: `Node has no module ${name}`, remedy: 'Correct the name.' }
}

function ofJson({ message }: Error): ModuleFault | undefined {
  const [, file, why] = /^(\/.+?\.json): ([\s\S]+)$/.exec(message) ?? []
  if (file === undefined || why === undefined) return undefined
  const at = jsonFaultAt(linesOf(file).join('\n')) ?? { line: 1, column: 1 }
  const [first] = why.split(/, (?:\.\.\.)?"| in JSON/)
  const remedy = 'JSON has double quotes around names and texts, and no comma after the last value.'
  return { place: { file, ...at }, message: `${basename(file)} is not JSON: ${first}`, remedy }
}
