import { existsSync, statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { counted } from '../printable.ts'

/** The free space on the disk of a folder. */
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
