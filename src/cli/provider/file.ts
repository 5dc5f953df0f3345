import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import module from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Provider } from '../../provider/provider.ts'
import { unreadable } from '../terminal/read-input.ts'
import { UsageError } from '../terminal/usage.ts'

/** The last one is what a build makes: in its image there is no source. */
const candidates = ['provider.ts', 'src/provider.ts', 'provider.js', 'src/provider.js', 'dist/provider.js']
/** The parts of this package that have a name of their own, as `purveyor/rates`. */
const entryPoints = ['rates', 'contract', 'platform', 'sandbox', 'conformance', 'testing']
const fromSource = import.meta.url.endsWith('.ts')
/** Of the files of this package: it also runs from its source. */
export const extension = fromSource ? 'ts' : 'js'

/** Finds the provider's file. Throws a `UsageError` for one that cannot be it, and where none was named and there is none, nor `otherwise`. */
export function findProviderFile(named: string | undefined, otherwise?: string): string {
  const file = named ?? candidates.find((candidate) => existsSync(candidate)) ?? otherwise
  if (file === undefined)
    throw new UsageError(
      'There is no provider.ts here. Name the file that exports your provider with --provider, or create one with `purveyor init`.',
    )
  const path = resolve(file)
  const stats = statSync(path, { throwIfNoEntry: false })
  const theOne = 'Name the file that exports your provider.'
  if (!stats || stats.isDirectory()) throw unreadable(file, stats ? 'EISDIR' : 'ENOENT', theOne)
  if (!/\.[cm]?[jt]s$/.test(path)) throw new UsageError(`${file} is not a .ts or .js file. ${theOne}`)
  return path
}

/** The built-in sample is template `full`; types cannot be stripped below node_modules, so a package carries it built. */
export const sampleFile = fileURLToPath(
  fromSource
    ? new URL('../../../templates/full/provider.ts', import.meta.url)
    : new URL('../../templates/full/provider.js', import.meta.url),
)

/** `noted` is called with each file that the provider's file imports, without those of packages, and with that file itself. */
export async function loadProvider(path: string, noted = (_file: string): void => {}): Promise<Provider> {
  const loaded = new Set<string>()
  const note = (file: string) => {
    if (loaded.has(file)) return
    loaded.add(file)
    noted(file)
  }
  note(path)
  resolvePurveyor(note)
  const module = (await import(pathToFileURL(path).href).catch(async (error: unknown) => {
    throw await unloadable(path, error, [...loaded])
  })) as { default?: Partial<Provider> }
  if (typeof module.default?.listen !== 'function')
    throw new UsageError(`${path} exports no provider. Write: export default createProvider({ ... })`)
  return module.default as Provider
}

/** A syntax error is wrong input of the command. Its cause has the place in its stack. A thrown value has none: its file is noted. */
async function unloadable(path: string, error: unknown, loaded: readonly string[]): Promise<unknown> {
  const { sourceFault, ThrownValue } = await import('../../observability/source-faults/source-fault.ts')
  if (!(error instanceof Error)) return new ThrownValue(error, path)
  if (!(error instanceof SyntaxError) || error.stack?.includes('at JSON.parse')) return error
  placeSyntaxError(error, loaded)
  const { lines, message } = sourceFault(error)
  const [at] = lines
  const where = at ? `${at.file}:${at.line}` : path
  return Object.assign(new UsageError(`${where}: ${message}`), { cause: error })
}

/**
 * Makes `import 'purveyor'` find this very package, unless another one is installed for the provider: always when it runs from its own
 * source. A working copy of this package finds itself by its name too, but as it was built last, which may be long ago. Notes the files of
 * the provider.
 */
function resolvePurveyor(note: (file: string) => void): void {
  const ownFolder = new URL('../../', import.meta.url).href
  // Not named in the import: an older Node has none, and reads this file too.
  module.registerHooks({
    resolve(specifier, context, next) {
      const own = /^purveyor(?:\/([a-z]+))?$/.exec(specifier)
      if (!own) {
        const found = next(specifier, context)
        const isPackage = found.url.includes('/node_modules/') || found.url.startsWith(ownFolder)
        if (found.url.startsWith('file:') && !isPackage) note(fileURLToPath(found.url.replace(/[?#].*$/, '')))
        return found
      }
      const [, entry = ''] = own
      if (entry && !entryPoints.includes(entry)) {
        // As Node throws it for a package that is installed.
        const message = `Package subpath './${entry}' is not defined by "exports" in purveyor/package.json imported from ${context.parentURL}`
        throw Object.assign(new Error(message), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' })
      }
      const folder = entry || '.'
      const { href: url } = new URL(`../../${folder}/index.${extension}`, import.meta.url)
      try {
        const installed = fromSource ? undefined : next(specifier, context)
        if (installed?.url.includes('/node_modules/')) return installed
      } catch {
        // Not installed there.
      }
      return { url, shortCircuit: true }
    },
  })
}

/** Puts file, line and code of a syntax error before its stack, where Node has left them out, as for a name that is declared twice. */
export function placeSyntaxError(error: SyntaxError, loaded: readonly string[]): void {
  if (/^(?:file:\/\/)?\/.+:\d+\n/.test(error.stack ?? '')) return
  for (const file of loaded.toReversed()) {
    // Node's words about a module that it does not compile: its line, the code, and the error.
    const words = compiled(file)
    if (!words.includes(`SyntaxError: ${error.message}`)) continue
    const [before = ''] = words.split(/^SyntaxError/m, 1)
    error.stack = `${file}${before.slice(before.search(/:\d+\n/))}${error.stack}`
    return
  }
}

function compiled(file: string): string {
  // Node warns that this function is experimental, and users can do nothing about it.
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    const text = readFileSync(file, 'utf8')
    // The types become spaces: every place stays where it was.
    const input = /\.[cm]?ts$/.test(file) ? module.stripTypeScriptTypes(text) : text
    const how = ['--input-type=module', '--check', '-']
    return spawnSync(process.execPath, how, { input, encoding: 'utf8', timeout: 5_000 }).stderr
  } catch {
    return ''
  } finally {
    process.emitWarning = emitWarning
  }
}
