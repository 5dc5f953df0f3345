import { existsSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { fileFault } from '../../file-fault.ts'

const codes = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM'])

/**
 * The remedy for a file that the developer's code cannot read, and for a text that is not JSON; `undefined` for other errors. `caller` is
 * the full path of that code.
 */
export function readRemedy(error: Error, caller: string | undefined): string | undefined {
  if (caller === undefined) return undefined
  if (error instanceof SyntaxError && error.stack?.includes('at JSON.parse'))
    return 'This text is empty, ends early or is not JSON: look at the file or the answer that it comes from.'
  const { code = '', path, syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined || !codes.has(code)) return undefined
  // Node names no path where it reads a folder as a file.
  if (path === undefined) return code === 'EISDIR' ? 'The path is that of a folder: name a file.' : undefined
  return `${resolve(path)} ${fault(path, code, caller)}`.replace(/(?<![?.])$/, '.')
}

function fault(path: string, code: string, caller: string): string {
  if (code !== 'ENOENT') return fileFault(path, code)
  if (!isAbsolute(path) && existsSync(join(dirname(caller), path)))
    return `is not there: ${beside(path, caller)}`
  const above = dirname(resolve(path))
  return existsSync(above) ? fileFault(path, code) : `is not there: its folder ${above} is missing`
}

/** Such a path begins at the working directory, and the file lies beside the code. */
const beside = (path: string, caller: string): string =>
  `paths begin at ${process.cwd()}, the working directory, and the file lies beside ${basename(caller)}: write new URL('./${path.replace(/^\.\//, '')}', import.meta.url)`
