import { existsSync, statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { counted } from '../../printable.ts'
import { StoreUnavailable } from '../connection.ts'

export interface Room {
  folder: string
  bytes: number
  /** How many more files the disk takes. Not set where it does not count them. */
  files: number | undefined
}

/** With less than this SQLite cannot make the two files beside a database, in bytes. */
const least = 256 * 1024

/** The room in the folder of a file, or in the nearest one above it that is there. `undefined` where the system does not say. */
export function roomFor(file: string): Room | undefined {
  let folder = dirname(resolve(file))
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder)
    return { folder, bytes: bavail * bsize, files: files === 0 ? undefined : ffree }
  } catch {
    return undefined
  }
}

/** The free bytes on the disk of a file that is there, read without blocking. `undefined` where the system does not say. */
export async function freeBytesFor(file: string): Promise<number | undefined> {
  const found = await statfs(file).catch(() => undefined)
  return found && found.bavail * found.bsize
}

export const isFull = ({ bytes, files }: Room): boolean => bytes < least || files === 0

/** Such as `0 bytes are free in /srv/data`. */
export function roomWords({ folder, bytes, files }: Room): string {
  const free = counted(bytes, 'byte is free', 'bytes are free')
  return files === 0 && bytes >= least
    ? `${free} in ${folder}, and no further file fits on its disk`
    : `${free} in ${folder}`
}

const named = (list: string): Record<number, string> =>
  Object.fromEntries(list.split(', ').map((one) => one.split(' ')))

/** Result codes of SQLite for a file that cannot be used now, for any query: the ends of their names. */
const names = named(
  '3 PERM, 5 BUSY, 6 LOCKED, 8 READONLY, 10 IOERR, 11 CORRUPT, 13 FULL, 14 CANTOPEN, 15 PROTOCOL, 23 AUTH, 26 NOTADB',
)

/** Extended codes by what was tried: the last parts of their names. */
const tried = named(
  '266 READ, 778 WRITE, 1034 FSYNC, 1290 DIR_FSYNC, 1546 TRUNCATE, 4618 SHMOPEN, 4874 SHMSIZE, 5386 SHMMAP, 1288 CANTINIT, 1544 DIRECTORY',
)

/** The extended codes of a file and of a folder that could not be synced. */
const failedSyncs = new Set([1034, 1290])

const extendedCode = (error: unknown) => Number((error as { errcode?: number } | undefined)?.errcode)
const resultCode = (error: unknown) => extendedCode(error) & 0xff

export const isBusy = (error: unknown): boolean => resultCode(error) === 5
export const isFailedSync = (error: unknown): boolean => failedSyncs.has(extendedCode(error))
/** A page of the file is damaged: commands that do not need it continue. */
export const isDamaged = (error: unknown): boolean => resultCode(error) === 11
export const isUnavailable = (error: unknown): boolean => resultCode(error) in names

/** SQLite's own name for an error, such as `SQLITE_IOERR_SHMSIZE`. */
function nameOf(error: unknown): string | undefined {
  const parts = [names[resultCode(error)], tried[extendedCode(error)]].filter((part) => part !== undefined)
  return resultCode(error) in names ? ['SQLITE', ...parts].join('_') : undefined
}

/** Names SQLite's own code, such as `SQLITE_FULL, 13: database or disk is full`. */
export function unavailable(cause?: unknown): StoreUnavailable {
  const { errstr } = (cause ?? {}) as { errstr?: string }
  const name = nameOf(cause)
  const why = name === undefined ? '' : ` (${name}, ${extendedCode(cause)}: ${errstr ?? 'no words'})`
  const remedy = name === undefined ? '' : ` ${openRemedy(name)}`
  return new StoreUnavailable(`The SQLite file cannot be used now${why}.${remedy}`, { cause })
}

export function openError(file: string, error: unknown): StoreUnavailable {
  const isOurs = error instanceof StoreUnavailable
  const cause = isOurs ? error.cause : error
  if (isOurs && !isUnavailable(cause)) return error
  return new StoreUnavailable(openFault(file, cause, roomFor(file)), { cause })
}

/** `room` is what is left on its disk: SQLite calls a full disk an I/O error where it cannot make its index of the log. */
export function openFault(file: string, cause: unknown, room: Room | undefined): string {
  const { code: systemCode = '' } = (cause ?? {}) as { code?: string }
  const ofSystem = /^E(?!RR_)[A-Z0-9]+$/.test(systemCode) ? systemCode : undefined
  const code = nameOf(cause) ?? ofSystem
  const result = resultCode(cause)
  const lacksRoom = room !== undefined && isFull(room) && (result === 10 || result === 14)
  if (result === 13 || ofSystem === 'ENOSPC' || ofSystem === 'EDQUOT' || lacksRoom) {
    const codes = [...new Set([code, ofSystem ?? 'ENOSPC'])].join(', ')
    const free = room === undefined ? '' : `: ${roomWords(room)}`
    return `The SQLite file ${file} cannot be opened, because its disk is full (${codes})${free}. Free some space there, or make the disk larger; nothing is lost.`
  }
  const why = code === undefined ? '' : ` (${code})`
  return `The SQLite file ${file} cannot be opened${why}. ${openRemedy(code ?? '')}`
}

function openRemedy(code: string): string {
  if (code === 'EISDIR') return 'It is a folder: name a file in it.'
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return 'A part of its path is a file, and must be a folder: check the path.'
  if (code === 'SQLITE_FULL') return 'Free space on its disk.'
  if (/^(EACCES|EPERM|EROFS|SQLITE_(READONLY|CANTOPEN|AUTH|PERM))/.test(code))
    return 'Check that this user may write to the file and its folder, and that its disk is not mounted read-only.'
  if (/^(SQLITE_NOTADB|SQLITE_CORRUPT)/.test(code))
    return 'It is damaged, or no SQLite database: restore a backup of it.'
  if (/^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code))
    return 'Another process holds it: try again, or find that process with `fuser`.'
  if (/^SQLITE_IOERR|^EIO/.test(code)) return 'Its disk fails: look in the log of the system (`dmesg`).'
  if (/^(EMFILE|ENFILE)/.test(code)) return 'Too many files are open: raise `ulimit -n`.'
  return 'Check that its folder can be written to.'
}
