import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, isAbsolute } from 'node:path'
import { nearest } from './checked-options.ts'

const hidden = new Set(['EACCES', 'EPERM'])
const absent = new Set(['ENOENT', 'ENOTDIR'])

/**
 * The fault of a file or folder that cannot be read, to stand behind its path, with the remedy. `code` is that of the failed read.
 * An `entry` is a file that a folder holds, and that nobody names.
 */
export function fileFault(
  path: string,
  code: string | undefined,
  { wanted = 'file' }: { wanted?: 'file' | 'folder' | 'entry' } = {},
): string {
  if (code === 'EISDIR') return `is a folder: ${wanted === 'entry' ? 'remove it' : 'name a file'}`
  if (code === 'ENOTDIR' && wanted === 'folder' && existsSync(path)) return 'is a file: name a folder'
  if (code !== undefined && hidden.has(code))
    return 'may not be read by this user: change its permissions, or the user'
  if (code === undefined || !absent.has(code))
    return `cannot be read (${code ?? 'no reason given'}): check the path`
  return `is not there: ${absentRemedy(path, wanted)}`
}

function absentRemedy(path: string, wanted: 'file' | 'folder' | 'entry'): string {
  const beside = besideOf(path, wanted)
  if (beside !== undefined) return `did you mean ${beside}?`
  return isAbsolute(path) ? 'check the path' : `paths begin at ${process.cwd()}, the working directory`
}

/** The entry beside one that is missing whose name is most like its name. */
function besideOf(missing: string, wanted: 'file' | 'folder' | 'entry'): string | undefined {
  const [folder, name] = [dirname(missing), basename(missing)]
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    const fitting = entries.filter((one) => (wanted === 'folder' ? one.isDirectory() : !one.isDirectory()))
    return nearest(
      name,
      fitting.map((one) => one.name),
      () => 2,
    )
  } catch {
    return undefined
  }
}
