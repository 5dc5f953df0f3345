import { hash } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CopyRequest,
  copiedTables,
  copyStore,
  openSide,
  releaseStore,
  rowsOf,
  type Side,
} from '../../src/stores/copy.ts'
import { seal } from '../../src/stores/seal.ts'
import { atEnd } from '../at-end.ts'
import { folderWith } from '../folder.ts'
import { makeFilledStore, secret } from './filled-store.ts'

let filled: string | undefined

/** The address of a new store in a file, with rows in every table. They are made once for a file of tests. */
export async function filledStore(): Promise<string> {
  if (!filled) {
    const made = join(folderWith(), 'filled.db')
    await makeFilledStore(made, 60)
    filled = made
    atEnd(() => (filled = undefined))
  }
  const file = join(folderWith(), 'source.db')
  copyFileSync(filled, file)
  return `sqlite:${file}`
}

/** Copies between two addresses as the command does. */
export const copied = (from: string, to: string, options: Partial<CopyRequest> = {}) =>
  copyStore({ from, to, seal: seal(secret), at: () => {}, ...options })

/** Releases a source as the command does. */
export async function released(from: string, to?: string): Promise<void> {
  await withSide(from, async (source) => {
    if (to === undefined) await releaseStore(source, undefined)
    else await withSide(to, (copy) => releaseStore(source, copy))
  })
}

/** Reads or changes a store beside a copy. */
export async function withSide<T>(address: string, use: (side: Side) => Promise<T>): Promise<T> {
  const side = await openSide('--from', address)
  try {
    return await use(side)
  } finally {
    await side.close()
  }
}

/** The number of rows of each table and a hash of all their values, whatever their order: equal for equal stores. */
export async function contentOf(side: Side): Promise<Record<string, string>> {
  const content: Record<string, string> = {}
  for (const name of copiedTables) {
    const lines: string[] = []
    for await (const rows of rowsOf(side, name)) lines.push(...rows.map((row) => JSON.stringify(row)))
    content[name] = `${lines.length} ${hash('sha256', lines.sort().join('\n'))}`
  }
  return content
}
