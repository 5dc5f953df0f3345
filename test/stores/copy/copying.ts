import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type CopyReport, type CopyRequest, copyStore } from '../../../src/stores/copy/copy-store.ts'
import { PostgresSide } from '../../../src/stores/copy/postgres-side.ts'
import type { Side } from '../../../src/stores/copy/side.ts'
import { SqliteSide } from '../../../src/stores/copy/sqlite-side.ts'
import { seal } from '../../../src/stores/seal.ts'
import { makeFilledStore, secret } from './filled-store.ts'

/** One side of an address, which a copy closes. */
export const sideOf = (address: string): Side =>
  address.startsWith('sqlite:') ? new SqliteSide(address.slice('sqlite:'.length)) : new PostgresSide(address)

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

/** Copies between two addresses as the command does, on sides of its own or those that are given. */
export async function copied(
  from: string | Side,
  to: string | Side,
  options: Partial<CopyRequest> = {},
): Promise<CopyReport> {
  const sides = [from, to].map((one) => (typeof one === 'string' ? sideOf(one) : one)) as [Side, Side]
  try {
    return await copyStore({
      from: sides[0],
      to: sides[1],
      seal: seal(secret),
      dryRun: false,
      rehearse: false,
      withoutNul: false,
      processes: 2,
      batch: 25,
      at: () => {},
      ...options,
    })
  } finally {
    await Promise.all(sides.map((side) => side.close()))
  }
}

/** Reads or changes a store beside a copy. */
export async function withSide<T>(address: string, use: (side: Side) => Promise<T>): Promise<T> {
  const side = sideOf(address)
  try {
    return await use(side)
  } finally {
    await side.close()
  }
}
