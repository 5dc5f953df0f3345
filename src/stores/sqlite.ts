import { closeSync, openSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { Db } from '../store/columns.ts'
import { portOf } from '../store/query.ts'
import { SqliteEngine } from '../store/sqlite/engine.ts'
import { freeBytesFor } from '../store/sqlite/errors.ts'
import { openToOthers } from '../store/sqlite/own-file.ts'
import { StoreUnavailable } from '../store.ts'
import { sqlCommands } from '../store-commands.ts'
import type { StorePort } from '../store-port.ts'

/** Options of `sqliteStore`. */
export interface SqliteOptions {
  /** A path, created with its folders if missing, for this user only. `:memory:` stores nothing on disk. */
  file: string
}

/** The commands of all stores in memory. They keep nothing but damaged pages, of which memory has none. */
let inMemory: ReturnType<typeof sqlCommands> | undefined

/** The store in one SQLite file. Commands that arrive together share one synced commit; a failed one undoes only itself. */
export function sqliteStore({ file }: SqliteOptions): StorePort {
  const engine = new SqliteEngine(file)
  const commands = (file === ':memory:' && inMemory) || sqlCommands(new Db('sqlite'))
  if (file === ':memory:') inMemory = commands
  const port = portOf(commands, (kind, command) =>
    kind === 'read' ? engine.read(command) : engine.write(command, kind === 'patient'),
  )
  return {
    volatile: file === ':memory:',
    get warnings() {
      return file === ':memory:'
        ? []
        : openToOthers(file).map(
            (path) =>
              `other users of this machine can open ${path}, and this process cannot change that. Run: chown ${process.getuid?.() ?? '<user>'} ${path} && chmod 600 ${path}`,
          )
    },
    open: () => engine.open(),
    close: () => engine.close(),
    check: () => engine.writes.check(),
    ...(file !== ':memory:' && { freeBytes: () => freeBytesFor(file) }),
    watch(report) {
      engine.report = report
    },
    ...port,
    removeShop: (...args) => engine.forGood(() => port.removeShop(...args)),
    erasePayment: (...args) => engine.forGood(() => port.erasePayment(...args)),
    prunePayments: (...args) => engine.forGood(() => port.prunePayments(...args)),
  }
}

/** SQLite's own backup, for a store in use. Rejects with a `StoreUnavailable`; an incomplete copy does not open as a database. */
export async function backupSqlite(file: string, target: string): Promise<void> {
  try {
    const source = new DatabaseSync(file, { readOnly: true })
    try {
      closeSync(openSync(target, 'a', 0o600))
      await backup(source, target)
    } finally {
      source.close()
    }
  } catch (cause) {
    throw new StoreUnavailable(
      `${file} could not be copied to ${target}. Check both paths, and the free space.`,
      { cause },
    )
  }
}
