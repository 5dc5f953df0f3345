import { EventEmitter } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import type { ServiceType } from '../contract/index.ts'
import { bothServed, type Served, servedBy } from '../contract/served.ts'
import { PurveyorError } from '../errors/errors.ts'
import { isLoopbackHost } from '../network/private-network.ts'
import { makeOwnFile } from '../store/sqlite/open.ts'
import { type RecordAction, Table } from './table.ts'

/** An external service that is registered with the shop (spec 2.2). */
export interface Service {
  id: number
  type: ServiceType
  name: string
  urlEndpoint: string
  /** Whether the shop calls it. Default true. */
  isActive: boolean
  /** Whether the cart asks it for estimates too. */
  rateEstimate: boolean
  /** The id of the only shop of the platform that calls it. Default: every shop does. */
  shop?: number | undefined
  /** Milliseconds since 1970. */
  createdAt: number
  updatedAt: number
}

/** A service to register with the sandbox shop. */
export type NewService = Pick<Service, 'type' | 'name' | 'urlEndpoint'> &
  Partial<Pick<Service, 'isActive' | 'rateEstimate' | 'shop'>>

/** The services registered with the shop. Each is called while it is active. */
export class Services {
  readonly #services: Collection<Service>
  readonly #now: () => number

  constructor(services: Collection<Service>, now: () => number) {
    this.#services = services
    this.#now = now
  }

  readonly all = (): Service[] => this.#services.all()
  readonly get = (id: number): Service | undefined => this.#services.get(id)

  /** The active services of a shop for shipping or for payment. Default: those of any shop. */
  active(type: ServiceType, shop?: number): Service[] {
    return this.all().filter(
      (one) =>
        one.type === type &&
        one.isActive &&
        (shop === undefined || one.shop === undefined || one.shop === shop),
    )
  }

  add({ isActive = true, rateEstimate = false, ...service }: NewService): Service {
    const now = this.#now()
    const times = { createdAt: now, updatedAt: now }
    return this.#services.set({ ...service, isActive, rateEstimate, ...times, id: this.#services.nextId() })
  }

  change(service: Service, changes: Partial<NewService>): Service {
    return this.#services.set({ ...service, ...changes, updatedAt: this.#now() })
  }

  readonly remove = (id: number): void => this.#services.delete(id)
}

/** The fault of a `urlEndpoint`: https is mandatory (spec 2.2), but the sandbox allows http for this machine. */
export function endpointFault(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    return 'must be an https address. The sandbox also allows http for this machine'
  if (url.username !== '' || url.password !== '') return 'carries credentials'
  if (url.protocol === 'https:' || isLoopbackHost(url.hostname)) return undefined
  return 'must use https. The sandbox allows http for this machine only, and a platform never'
}

/** The fault of a list of what to register an endpoint for: `rates`, `payments`, or both. */
export function servedFault(list: readonly Served[]): string | undefined {
  const wrong: string | undefined = list.find((one) => !bothServed.includes(one))
  if (wrong === undefined) return undefined
  const write = Object.hasOwn(servedBy, wrong) ? servedBy[wrong as ServiceType] : bothServed.join(' or ')
  return `has an unknown entry: write ${write}`
}

type Write<T> = (id: number, record: T | undefined, action: RecordAction) => void

/** One kind of record, such as orders, by id. Records are plain data and are replaced, never changed in place. */
export class Collection<T extends { id: number }> {
  readonly #records = new Map<number, T>()
  readonly #write: Write<T>
  #lastId: number

  constructor(records: T[], firstId: number, write: Write<T>) {
    for (const record of records) this.#records.set(record.id, record)
    this.#lastId = Math.max(firstId - 1, ...records.map(({ id }) => id))
    this.#write = write
  }

  /** Lets new records have higher ids than this one. */
  startAfter(id: number): void {
    this.#lastId = Math.max(this.#lastId, id)
  }

  nextId(): number {
    return ++this.#lastId
  }

  get size(): number {
    return this.#records.size
  }

  /** By id, lowest first. */
  all(): T[] {
    return [...this.#records.values()]
  }

  get(id: number): T | undefined {
    return this.#records.get(id)
  }

  set(record: T): T {
    const action = this.#records.has(record.id) ? 'updated' : 'created'
    this.#records.set(record.id, record)
    this.#lastId = Math.max(this.#lastId, record.id)
    this.#write(record.id, record, action)
    return record
  }

  delete(id: number): void {
    if (this.#records.delete(id)) this.#write(id, undefined, 'deleted')
  }

  /** Removes the oldest ones beyond a limit. */
  keep(most: number): void {
    for (const id of this.#records.keys()) {
      if (this.#records.size <= most) return
      this.delete(id)
    }
  }
}

/** The reason why a file cannot be opened, in words. */
const openWords = (code: string): string =>
  ({
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of its path is a file',
    EEXIST: 'a part of its path is a file',
    EACCES: 'this user may not write to it',
    EROFS: 'its disk is mounted read-only',
  })[code] ?? `it cannot be opened (${code})`

const schema =
  'create table if not exists records (kind text, id integer, value text not null, primary key (kind, id)) strict'

/** All of a sandbox, in memory and optionally in a SQLite file. */
export class State {
  /** Emits the kind of a changed record, its id and what happened to it. */
  readonly changes = new EventEmitter<{
    change: [kind: string, id: number, action: RecordAction]
  }>().setMaxListeners(0)
  readonly #database: DatabaseSync | undefined
  #ofTables: DatabaseSync | undefined
  readonly #firstIds: Readonly<Record<string, number>>

  /** `firstIds`: the first id of a kind, if it is a larger one. Throws `SANDBOX_FILE_UNUSABLE` for a file that is not a sandbox's. */
  constructor(file?: string, firstIds: Readonly<Record<string, number>> = {}) {
    this.#firstIds = firstIds
    if (file === undefined) return
    try {
      // It holds the credentials of the API.
      if (file !== ':memory:') makeOwnFile(file)
      this.#database = new DatabaseSync(file)
      // A test shop does not need to survive a power cut.
      this.#database.exec(`pragma journal_mode = wal; pragma synchronous = off; ${schema}`)
      this.#database.prepare('select kind, id, value from records limit 1').get()
    } catch (cause) {
      const { code = '', message } = cause as NodeJS.ErrnoException
      const why = code.startsWith('ERR_') || code === '' ? message : openWords(code)
      throw new PurveyorError(
        'SANDBOX_FILE_UNUSABLE',
        `The sandbox cannot use ${file} as its store: ${why}. Name a new one, in a folder that this user may write to.`,
        { cause },
      )
    }
  }

  /** The records of one kind. Called once per kind. */
  collection<T extends { id: number }>(kind: string, firstId = 1): Collection<T> {
    const rows =
      this.#database?.prepare('select value from records where kind = ? order by id').all(kind) ?? []
    const save = this.#database?.prepare('insert or replace into records values (?, ?, ?)')
    const remove = this.#database?.prepare('delete from records where kind = ? and id = ?')
    const records = rows.map(({ value }) => JSON.parse(String(value)) as T)
    return new Collection(records, Math.max(firstId, this.#firstIds[kind] ?? 0), (id, record, action) => {
      if (record === undefined) remove?.run(kind, id)
      else save?.run(kind, id, JSON.stringify(record))
      this.changes.emit('change', kind, id, action)
    })
  }

  /** The same on disk, for kinds that can have a million records. Without a file they lie in one that SQLite removes at the end. */
  table<T extends { id: number }>(kind: string, firstId = 1): Table<T> {
    this.#ofTables ??= this.#database ?? temporary()
    const changed = (id: number, action: RecordAction) => this.changes.emit('change', kind, id, action)
    return new Table<T>({ kind, firstId, database: this.#ofTables, changed })
  }

  close(): void {
    for (const database of [this.#database, this.#ofTables]) if (database?.isOpen) database.close()
  }
}

function temporary(): DatabaseSync {
  const database = new DatabaseSync('')
  database.exec(`pragma journal_mode = memory; pragma synchronous = off; ${schema}`)
  return database
}
