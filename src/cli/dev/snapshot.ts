import { hash } from 'node:crypto'
import { type BigIntStats, fstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { WatchedFiles } from './watched-files.ts'

/** Larger files are compared by their times and sizes, in bytes. */
const readsAtMost = 8n * 1024n * 1024n

/** The clock of files is coarse: one that was written this long before a look may change again without a trace, in milliseconds. */
const coarse = 100

/** `stamp` is the times, the size and the place of a file; `content` is a hash of its bytes. */
export interface Seen {
  stamp: string
  content: string
  isSettled: boolean
}

/** The contents of the watched files at one moment, by absolute path. */
export type Snapshot = ReadonlyMap<string, Seen>

/** Reads the files that may have changed since `before`. Links are followed. A file that vanishes meanwhile is not there. */
export function snapshotOf(watched: WatchedFiles, also: Iterable<string>, before?: Snapshot): Snapshot {
  const found = new Map<string, Seen>()
  const visited = new Set<string>()
  const now = Date.now()
  const written = ownOutput()

  function look(path: string): void {
    const stats = ifThere(() => statSync(path, { bigint: true }))
    if (stats?.isDirectory()) enter(path)
    else if (stats?.isFile()) note(path, stats)
  }

  function enter(folder: string): void {
    const real = ifThere(() => realpathSync(folder))
    if (real === undefined || visited.has(real)) return
    visited.add(real)
    for (const entry of ifThere(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
      const path = join(folder, entry.name)
      const mayBeFolder = !entry.isFile() && watched.hasFolder(path)
      if (entry.isDirectory()) mayBeFolder && enter(path)
      else if (watched.hasFile(path) || (entry.isSymbolicLink() && mayBeFolder)) look(path)
    }
  }

  function note(path: string, stats: BigIntStats): void {
    const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs } = stats
    if (written.has(`${dev} ${ino}`)) return
    const stamp = [ino, size, mtimeNs, ctimeNs].join(' ')
    const last = before?.get(path)
    const isSettled = now - Number(mtimeMs) > coarse
    const content = last?.stamp === stamp && last.isSettled ? last.content : contentOf(path, size, stamp)
    if (content !== undefined) found.set(path, { stamp, content, isSettled })
  }

  for (const folder of watched.folders) enter(folder)
  for (const path of also) if (!found.has(path)) look(path)
  return found
}

/** The files that this process writes its output to: each line of dev would restart the provider. */
function ownOutput(): Set<string> {
  const outputs = [1, 2].map((output) => ifThere(() => fstatSync(output, { bigint: true })))
  return new Set(outputs.flatMap((stats) => (stats?.isFile() ? `${stats.dev} ${stats.ino}` : [])))
}

/** The files that were added, changed or removed, in no order. */
export function differences(before: Snapshot, after: Snapshot): string[] {
  const changed = [...after.keys()].filter((path) => before.get(path)?.content !== after.get(path)!.content)
  return [...changed, ...[...before.keys()].filter((path) => !after.has(path))]
}

/** Whether a file is gone or holds nothing. */
export const isEmpty = (seen: Seen | undefined): boolean => seen === undefined || seen.content === nothing

const nothing = hash('sha1', '')
const sqlite = Buffer.from('SQLite format 3\0')

/** A store of any name is no change; it is one value for all. */
function contentOf(path: string, size: bigint, stamp: string): string | undefined {
  if (size > readsAtMost) return stamp
  const bytes = ifThere(() => readFileSync(path))
  if (bytes === undefined) return undefined
  return bytes.subarray(0, sqlite.length).equals(sqlite) ? 'a store' : hash('sha1', bytes)
}

/** Returns `undefined` for a file that vanished or may not be read. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
