import { type RawBuilder, sql } from 'kysely'
import type { Client, ClientConfig } from 'pg'
import { counted } from '../../printable.ts'
import { StoreUnavailable } from '../../store.ts'
import { shownUrl } from '../open.ts'
import { startError } from '../postgres-errors.ts'
import { migratePostgres } from '../postgres-migrate.ts'
import { checkServer } from '../postgres-server.ts'
import { isPooled } from '../postgres-sessions.ts'
import { checkEncryption } from '../postgres-tls.ts'
import { compiled, compilingFor } from './compiling.ts'
import { copyIn } from './copy-in.ts'
import { digestOf, partedBy, rowText, serverDigest } from './digest.ts'
import type { Asks, Batch, Cell, CopiedColumn, CopiedTable, Digest, Side } from './side.ts'

/** The connections of each process of a provider. */
const connectionsEach = 10
/** The most connections of a copy to one server. */
const connectionsOfCopy = 3

/** The server looks so often whether the process of a long statement is still there, in milliseconds. */
const looksEvery = 1_000

const loadPg = async () => (await import('pg')).default

/**
 * Others that use a table are waited for up to 5 s. The planner scans no large table for a page of it, and sorts none: until figures are
 * collected it takes every table for small.
 */
const settings = `set statement_timeout = 0; set lock_timeout = 5000; set idle_in_transaction_session_timeout = 0;
  set jit = off; set enable_seqscan = off; set enable_sort = off; set client_encoding = 'UTF8'`

/** A PostgreSQL database as one side of a copy. It connects at its first use. */
export class PostgresSide implements Side {
  readonly engine = 'postgres'
  readonly shown: string
  readonly db = compilingFor('postgres')
  readonly #url: string
  readonly #readOnly: boolean
  readonly #option: string
  #connecting: Promise<Client> | undefined

  /** With `readOnly` the server itself refuses every write of this side. `option` is what errors call its address. */
  constructor(
    url: string,
    { readOnly = false, option = 'the address of the store' }: { readOnly?: boolean; option?: string } = {},
  ) {
    this.#url = url
    this.#readOnly = readOnly
    this.#option = option
    this.shown = shownUrl(url)
  }

  get #config(): ClientConfig {
    return {
      connectionString: this.#url,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      application_name: 'purveyor db copy',
    }
  }

  #connected(): Promise<Client> {
    this.#connecting ??= this.#connect()
    return this.#connecting
  }

  async #connect(): Promise<Client> {
    const pg = await loadPg()
    let client: Client | undefined
    try {
      client = new pg.Client(this.#config)
      // Without a listener Node exits on this event; the query that runs rejects.
      client.on('error', () => {})
      checkEncryption(this.#url, client)
      await client.connect()
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      if (isPooled(client, rows[0]!.pid)) throw pooled(client.host)
      await client.query(settings)
      // Some systems cannot: there the lock of a killed process lasts as long as its statement.
      await client.query(`set client_connection_check_interval = ${looksEvery}`).catch(() => {})
      if (this.#readOnly) await client.query('set default_transaction_read_only = on')
      return client
    } catch (error) {
      await client?.end().catch(() => {})
      throw this.#named(startError(error))
    }
  }

  /** Errors of a provider's store name its variable, which is not what was read here. */
  #named({ message, cause }: StoreUnavailable): StoreUnavailable {
    const here = message.replaceAll('PURVEYOR_DATABASE_URL', this.#option)
    return new StoreUnavailable(`${here} ${this.#option} is ${this.shown}.`, { cause })
  }

  async #guarded<T>(use: (client: Client) => Promise<T>): Promise<T> {
    const client = await this.#connected()
    try {
      return await use(client)
    } catch (error) {
      throw error instanceof StoreUnavailable ? error : this.#named(failed(error))
    }
  }

  #run(client: Client, query: Asks<unknown>, asLists = false) {
    const { text, values } = compiled(this.db, query)
    // One statement without values may be planned anew each time, with what is known of its table then.
    return client.query({ text, values, ...(asLists && { rowMode: 'array' as const }), types: numbers })
  }

  async identity(): Promise<string> {
    const [found] = await this.all(sql<{ name: string }>`select concat_ws(' ', current_schema(),
      (select oid from pg_database where datname = current_database()), current_database(),
      (select system_identifier from pg_control_system())) as name`)
    return `server ${found?.name}`
  }

  async tables(): Promise<CopiedTable[]> {
    const columns = await this.all(sql<ColumnRow>`select c.relname as "table", c.relkind = 'p' as partitioned,
        a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attidentity <> '' as identity,
        array_position(i.indkey::int2[], a.attnum) as pk
      from pg_class as c
      join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_index as i on i.indrelid = c.oid and i.indisprimary
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      order by c.relname, a.attnum`)
    return Array.from(
      Map.groupBy(columns, ({ table }) => table),
      ([name, ofTable]) => ({
        name,
        columns: ofTable.map(({ name, type, identity }) => ({
          name,
          kind: kindOf(type),
          isIdentity: identity,
        })),
        key: ofTable
          .filter(({ pk }) => pk !== null)
          .sort((one, other) => one.pk! - other.pk!)
          .map(({ name }) => name),
        isPartitioned: ofTable[0]!.partitioned,
      }),
    )
  }

  async size(): Promise<number> {
    const [found] = await this.all(sql<{ size: number }>`select pg_database_size(current_database()) as size`)
    return found!.size
  }

  async now(): Promise<number> {
    const [found] = await this.all(
      sql<{ now: number }>`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`,
    )
    return found!.now
  }

  all<Row>(query: Asks<Row>): Promise<Row[]> {
    return this.#guarded(async (client) => (await this.#run(client, query)).rows as Row[])
  }

  cells(query: Asks<unknown>): Promise<Cell[][]> {
    return this.#guarded(async (client) => (await this.#run(client, query, true)).rows as unknown as Cell[][])
  }

  async digest(table: string, columns: readonly CopiedColumn[], cleaned: readonly string[]): Promise<Digest> {
    const [{ encoding } = {}] = await this.all(
      sql<{ encoding: string }>`select getdatabaseencoding() as encoding`,
    )
    const isUtf8 = encoding === 'UTF8'
    const bytesOf = (text: RawBuilder<unknown>) =>
      isUtf8 ? sql`octet_length(${text})` : sql`octet_length(convert_to(${text}, 'UTF8'))`
    const [found] = await this.all(serverDigest(rowText(partedBy(columns, cleaned).flat(), bytesOf), table))
    return digestOf(found!.rows, BigInt(found!.sum ?? 0))
  }

  commit(queries: readonly Asks<unknown>[], condition?: Asks<unknown>): Promise<boolean> {
    return this.#guarded((client) =>
      this.#together(client, 'on', async () => {
        if (condition && (await this.#run(client, condition)).rows.length === 0) return false
        for (const query of queries) await this.#run(client, query)
        return true
      }),
    )
  }

  async lock(): Promise<boolean> {
    const [found] = await this.all(
      sql<{
        held: boolean
      }>`select pg_try_advisory_lock(hashtext('purveyor db copy'), hashtext(current_schema())) as held`,
    )
    return found!.held
  }

  add({ table, columns, rows, before, note }: Batch): Promise<boolean> {
    const { text } = compiled(
      this.db,
      sql`copy ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))}) from stdin`,
    )
    // A commit that is on disk later undoes itself together with its note.
    return this.#guarded((client) =>
      this.#together(client, 'off', async () => {
        // First: of two copies the second one waits here, and finds that it is late.
        if ((await this.#run(client, note)).rows.length === 0) return false
        for (const query of before) await this.#run(client, query)
        if (rows.length > 0) await copyIn(client, text, rows)
        return true
      }),
    )
  }

  /** All or nothing. `use` answers whether to commit. */
  async #together(client: Client, sync: 'on' | 'off', use: () => Promise<boolean>): Promise<boolean> {
    await client.query(`begin; ${sync === 'off' ? 'set local synchronous_commit = off' : ''}`)
    try {
      const isGood = await use()
      await client.query(isGood ? 'commit' : 'rollback')
      return isGood
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  }

  lighten(): Asks<unknown>[] {
    // Keys stay: they show a row that comes twice.
    return [
      sql`drop table if exists copied_indexes`,
      sql`create table copied_indexes as select c.relname::text as name, pg_get_indexdef(i.indexrelid) as definition
        from pg_index as i join pg_class as c on c.oid = i.indexrelid join pg_class as t on t.oid = i.indrelid
        where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r' and not t.relispartition
          and not exists (select from pg_constraint as k where k.conindid = i.indexrelid)`,
      sql`do ${sql.lit(
        `declare one text; begin for one in select name from copied_indexes loop execute format('drop index %I', one); end loop; end`,
      )}`,
    ]
  }

  async settle(): Promise<void> {
    const left = await this.all(
      sql<{ there: boolean }>`select to_regclass('copied_indexes') is not null as there`,
    )
    await this.#guarded(async (client) => {
      if (left[0]?.there) await makeIndexes(client)
      await client.query('analyze')
    })
  }

  async holdMoment(): Promise<void> {
    await this.#guarded((client) => client.query('begin isolation level repeatable read, read only'))
  }

  async checkWrites(): Promise<void> {
    await this.#guarded(async (client) => {
      await checkServer(client)
      const { rows } = await client.query<{ role: string; schema: string | null; may_create: boolean }>(
        `select current_user as role, current_schema() as schema,
          coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create`,
      )
      const { role, schema, may_create } = rows[0]!
      if (may_create) return
      throw new StoreUnavailable(
        `The user ${role} may not create anything in ${this.shown}. Run: grant create on schema ${schema ?? 'public'} to ${role}.`,
      )
    })
  }

  async checkTarget({ processes }: { processes: number }): Promise<void> {
    await this.checkWrites()
    await this.#guarded(async (client) => {
      const { rows } = await client.query<ServerFacts>({ text: facts, types: numbers })
      const { encoding, most, role_most, database_most, used, role } = rows[0]!
      if (encoding !== 'UTF8') {
        throw new StoreUnavailable(
          `The database of the target has the encoding ${encoding}, which does not hold every text. Create one with encoding UTF8.`,
        )
      }
      const needed = processes * connectionsEach + connectionsOfCopy
      const limits = [
        [most, 'max_connections of the server, without those for superusers,'],
        [role_most, `the connection limit of the user ${role}`],
        [database_most, 'the connection limit of the database'],
      ] as const
      for (const [limit, name] of limits) {
        if (limit < 0 || limit >= needed) continue
        throw new StoreUnavailable(
          `The target takes too few connections: ${name} is ${limit}, and ${counted(processes, 'process of a provider needs', 'processes of a provider need')} ${needed}. Raise it, or name fewer processes with --processes.`,
        )
      }
      if (most - used < connectionsOfCopy) {
        throw new StoreUnavailable(
          `The server of the target has ${Math.max(0, most - used)} free connections, and a copy needs ${connectionsOfCopy}. End some clients, or raise max_connections.`,
        )
      }
    })
  }

  async migrate(): Promise<void> {
    try {
      await migratePostgres(await loadPg(), this.#config)
    } catch (error) {
      throw this.#named(startError(error))
    }
  }

  async close(): Promise<void> {
    const connecting = this.#connecting
    this.#connecting = undefined
    await connecting?.then((client) => client.end()).catch(() => {})
  }
}

/** Its settings would stay in sessions that a provider gets next, such as that nothing may be written. */
const pooled = (host: string): StoreUnavailable =>
  new StoreUnavailable(
    `There is a pool on ${host} in front of the PostgreSQL server, and a copy needs a session of its own. Name the server itself.`,
  )

/** Makes the indexes that were set aside. Each is made and ticked off in one commit. */
async function makeIndexes(client: Client): Promise<void> {
  await client.query(`set maintenance_work_mem = '128MB'`)
  const { rows } = await client.query<{ name: string; definition: string }>(
    'select name, definition from copied_indexes order by name',
  )
  for (const { name, definition } of rows) {
    await client.query('begin')
    await client.query(definition)
    await client.query('delete from copied_indexes where name = $1', [name])
    await client.query('commit')
  }
  await client.query('drop table copied_indexes')
}

const facts = `select pg_encoding_to_char(encoding) as encoding, current_user as role,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
    (select rolconnlimit from pg_roles where rolname = current_user) as role_most, datconnlimit as database_most,
    (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used
  from pg_database where datname = current_database()`

interface ServerFacts {
  encoding: string
  role: string
  most: number
  role_most: number
  database_most: number
  used: number
}

const int8 = 20
const numbers = {
  getTypeParser: (oid: number) => (oid === int8 ? Number : parserOf(oid)),
} as never

/** The few types that a copy reads. Text is what it is. */
function parserOf(oid: number): (text: string) => unknown {
  if ([21, 23, 26].includes(oid)) return Number
  return oid === 16 ? (text) => text === 't' : (text) => text
}

const kindOf = (type: string) =>
  type === 'text' ? 'text' : type === 'integer' ? 'int4' : type === 'bigint' ? 'int8' : 'other'

/** An error of the server in the middle of a copy, with its own words: they name tables and columns, and values only in `detail`. */
function failed(cause: unknown): StoreUnavailable {
  const known = startError(cause)
  const { severity, message = '' } = (cause ?? {}) as { severity?: string; message?: string }
  if (severity === undefined || !/refuses a step of the start/.test(known.message)) return known
  return new StoreUnavailable(`The PostgreSQL server refuses a step of the copy: ${message}.`, { cause })
}

interface ColumnRow {
  table: string
  name: string
  type: string
  pk: number | null
  identity: boolean
  partitioned: boolean
}
