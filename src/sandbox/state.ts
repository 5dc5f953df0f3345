import { EventEmitter } from 'node:events'
import { DatabaseSync, type SQLTagStore } from 'node:sqlite'
import type { ServiceType } from '../contract/index.ts'
import { PurveyorError } from '../errors/errors.ts'
import { isLoopbackHost } from '../network/private-network.ts'
import { makeOwnFile } from '../store/sqlite/own-file.ts'
import type { MovingClock } from './clock.ts'

export type RecordAction = 'created' | 'updated' | 'deleted'

type Changed<T> = (id: number, action: RecordAction, before?: T) => void

const perRead = 500

/** One kind of record by id, on disk: a million need no memory. Records are plain data, and are replaced, never changed in place. */
export class Table<T extends { id: number }> {
  readonly #kind: string
  readonly #sql: SQLTagStore
  readonly #changed: Changed<T>
  #lastId: number

  constructor(options: { kind: string; firstId: number; sql: SQLTagStore; changed: Changed<T> }) {
    this.#kind = options.kind
    this.#sql = options.sql
    this.#changed = options.changed
    const last = this.#sql.get`select max(id) as id from records where kind = ${this.#kind}`
    this.#lastId = Math.max(options.firstId - 1, Number(last?.id ?? 0))
  }

  startAfter(id: number): void {
    this.#lastId = Math.max(this.#lastId, id)
  }

  nextId(): number {
    return ++this.#lastId
  }

  get lastId(): number {
    return this.#lastId
  }

  count(since: number): number {
    const found = this.#sql
      .get`select count(*) as many from records where kind = ${this.#kind} and id > ${since}`
    return Number(found?.many)
  }

  /** By id, lowest first. Holds all of them in memory: use `each` or `page` for a resource that can be large. */
  all(): T[] {
    return [...this.each(0)]
  }

  /** The records with a higher id, lowest first, read in small parts. */
  *each(since: number): IterableIterator<T> {
    for (let last = since; ; ) {
      const records = this.page({ since: last, offset: 0, limit: perRead })
      yield* records
      if (records.length < perRead) return
      last = records.at(-1)!.id
    }
  }

  page({ since, offset, limit }: { since: number; offset: number; limit: number }): T[] {
    const rows = this.#sql.all`select value from records where kind = ${this.#kind} and id > ${since}
      order by id limit ${limit} offset ${offset}`
    return rows.map(({ value }) => JSON.parse(String(value)) as T)
  }

  get(id: number): T | undefined {
    const row = this.#sql.get`select value from records where kind = ${this.#kind} and id = ${id}`
    return row && (JSON.parse(String(row.value)) as T)
  }

  set(record: T): T {
    const before = this.get(record.id)
    this.#write(record)
    this.#changed(record.id, before ? 'updated' : 'created', before)
    return record
  }

  /** Writes many records at once. They count as no change. */
  fill(records: Iterable<T>): void {
    this.#sql.run`begin`
    try {
      for (const record of records) this.#write(record)
      this.#sql.run`commit`
    } catch (error) {
      this.#sql.run`rollback`
      throw error
    }
  }

  delete(id: number): void {
    const { changes } = this.#sql.run`delete from records where kind = ${this.#kind} and id = ${id}`
    if (changes > 0) this.#changed(id, 'deleted')
  }

  #write(record: T): void {
    const { id } = record
    this.#sql.run`insert or replace into records values (${this.#kind}, ${id}, ${JSON.stringify(record)})`
    this.startAfter(id)
  }
}

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
  readonly #services: Table<Service>
  readonly #clock: MovingClock

  constructor(state: State, clock: MovingClock) {
    this.#services = state.table('service')
    this.#clock = clock
  }

  readonly all = (): Service[] => this.#services.all()
  readonly get = (id: number): Service | undefined => this.#services.get(id)

  /** The active services of a shop for shipping or for payment. Default: those of any shop. */
  active(type: ServiceType, shop?: number): Service[] {
    const isOf = (one: Service) => shop === undefined || one.shop === undefined || one.shop === shop
    return this.all().filter((one) => one.type === type && one.isActive && isOf(one))
  }

  add({ isActive = true, rateEstimate = false, ...service }: NewService): Service {
    const at = this.#clock.now()
    const made = { id: this.#services.nextId(), createdAt: at, updatedAt: at }
    return this.#services.set({ ...service, isActive, rateEstimate, ...made })
  }

  change(service: Service, changes: Partial<NewService>): Service {
    return this.#services.set({ ...service, ...changes, updatedAt: this.#clock.now() })
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

const schema =
  'create table if not exists records (kind text, id integer, value text not null, primary key (kind, id)) strict'

/** All of a sandbox, in a SQLite file. Without one it lies in a file that SQLite removes at the end. */
export class State {
  /** Emits the kind of a changed record, its id, what happened to it, and the record before a change. */
  readonly changes = new EventEmitter<{
    change: [kind: string, id: number, action: RecordAction, before?: unknown]
  }>().setMaxListeners(0)
  readonly #database: DatabaseSync
  readonly #sql: SQLTagStore
  readonly #tables = new Map<string, unknown>()

  /** Throws `SANDBOX_FILE_UNUSABLE` for a file that is not a sandbox's. */
  constructor(file = '') {
    try {
      // It holds the credentials of the API.
      if (file !== '' && file !== ':memory:') makeOwnFile(file)
      this.#database = new DatabaseSync(file)
      // A test shop does not need to survive a power cut.
      const journal = file === '' ? 'memory' : 'wal'
      this.#database.exec(`pragma journal_mode = ${journal}; pragma synchronous = off; ${schema}`)
      this.#sql = this.#database.createTagStore()
      this.#sql.get`select kind, id, value from records limit 1`
    } catch (cause) {
      const fault = `The sandbox cannot use ${file} as its store: ${(cause as Error).message}`
      const remedy = 'Name a new file in a folder that this user may write to.'
      throw new PurveyorError('SANDBOX_FILE_UNUSABLE', `${fault}. ${remedy}`, { cause })
    }
  }

  table<T extends { id: number }>(kind: string, firstId = 1): Table<T> {
    const known = this.#tables.get(kind) as Table<T> | undefined
    if (known) return known
    const table = new Table<T>({
      ...{ kind, firstId, sql: this.#sql },
      changed: (...change) => this.changes.emit('change', kind, ...change),
    })
    this.#tables.set(kind, table)
    return table
  }

  /** Calls that are still under way may look at a store without a file. */
  close(): void {
    if (this.#database.isOpen && this.#database.location() !== null) this.#database.close()
  }
}
