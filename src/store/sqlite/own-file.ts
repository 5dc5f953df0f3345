import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** The files that SQLite keeps beside a database file, with the same permissions. */
const besides = ['-wal', '-shm', '-journal']

/**
 * Creates a missing SQLite file and its folders for this user only. Removes the permissions of all others from an existing file and those
 * beside it: an older version left them to the umask, and the file holds payments. An existing folder keeps its permissions.
 */
export function makeOwnFile(file: string): void {
  // Resolved first, because Node hangs when it creates a folder below a deleted one.
  mkdirSync(resolve(dirname(file)), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  for (const path of [file, ...besides.map((end) => file + end)]) takeRights(path)
}

/** The files that others can still read: they belong to another user, or the file system has no permissions. */
export const openToOthers = (file: string): string[] =>
  [file, ...besides.map((end) => file + end)].filter((path) => modeOf(path) !== 0)

const modeOf = (path: string): number => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077

function takeRights(path: string): void {
  const { mode } = statSync(path, { throwIfNoEntry: false }) ?? { mode: 0 }
  if ((mode & 0o077) === 0) return
  try {
    chmodSync(path, mode & 0o700)
  } catch (error) {
    // Only its owner can restrict such a file; the store warns of it.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}
