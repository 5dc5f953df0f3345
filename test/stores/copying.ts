import { hash } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import {
  type CopyRequest,
  copiedTables,
  copyStore,
  openSide,
  rowsOf,
  type Side,
} from '../../src/stores/copy.ts'
import { releaseStore } from '../../src/stores/release.ts'
import { seal } from '../../src/stores/seal.ts'
import { makeFilledStore, secret } from './filled-store.ts'

/** A folder that is gone after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'purveyor-copy-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

let filled: { file: string } | undefined

/** The address of a new store in a file, with rows in every table. It is made once. */
export async function filledStore(): Promise<string> {
  if (!filled) {
    const file = join(mkdtempSync(join(tmpdir(), 'purveyor-copy-')), 'filled.db')
    await makeFilledStore(file, 60)
    filled = { file }
  }
  const file = join(folder(), 'source.db')
  copyFileSync(filled.file, file)
  return `sqlite:${file}`
}

/** Ends the file that `filledStore` keeps. */
export function removeFilled(): void {
  if (filled) rmSync(join(filled.file, '..'), { recursive: true })
  filled = undefined
}

/** Copies between two addresses as the command does. */
export const copied = (from: string, to: string, options: Partial<CopyRequest> = {}) =>
  copyStore({
    ...{ from, to, seal: seal(secret), at: () => {} },
    ...options,
  })

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
