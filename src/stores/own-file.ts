import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** What SQLite keeps beside a database file. It makes them with the rights of the file. */
const besides = ['-wal', '-shm', '-journal']

/**
 * Makes a SQLite file that is not there, and its folders, for this user alone. Of one that is there, and of what lies beside it, the
 * rights of all others are taken: it was made by a version that left them to the umask, and holds what shoppers pay. A folder that is
 * there keeps its rights.
 */
export function makeOwnFile(file: string): void {
  // Resolved, because Node never comes back from making a folder below one that is gone.
  mkdirSync(resolve(dirname(file)), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  for (const path of [file, ...besides.map((end) => file + end)]) takeRights(path)
}

/** What of it others can still read: it belongs to another user, or its file system knows no rights. */
export const openToOthers = (file: string): string[] =>
  [file, ...besides.map((end) => file + end)].filter((path) => modeOf(path) !== 0)

const modeOf = (path: string): number => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077

function takeRights(path: string): void {
  const { mode } = statSync(path, { throwIfNoEntry: false }) ?? { mode: 0 }
  if ((mode & 0o077) === 0) return
  try {
    chmodSync(path, mode & 0o700)
  } catch (error) {
    // What belongs to another user is theirs to close; the store warns of it.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}
