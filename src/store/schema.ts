import type { Generated } from 'kysely'
import type { PaymentStatus } from '../contract/index.ts'

/** A push that a person may have to look at: it names a payment that is not here, its last try failed, or it was given up. */
export type PushTrouble = 'unmatched' | 'failed' | 'given_up'

/** `start`: the adapter's `start` failed or took too long. `push`: its `push.verify` did not accept a push. */
export type ServiceFailureKind = 'start' | 'push'

export interface Column<Value> {
  readonly type: 'text' | 'integer' | 'bigint'
  readonly isNull?: true
  readonly default?: number
  /** The engine numbers new rows by it. */
  readonly isNumber?: true
  /** Never set; carries the type of the values. */
  readonly value?: Value
}

export interface Table<Columns> {
  readonly columns: Columns
  readonly key: readonly string[]
  /** Its rows are deleted soon after they were added, or change all the time. */
  readonly isHot?: true
  /** Where the key is the table, there is no second look-up in it: SQLite alone. */
  readonly isKeyed?: true
  /** Its indexes, by the ends of their names: the part of their statements behind the name of the table. */
  readonly indexes?: Readonly<Record<string, string>>
  readonly unique?: Readonly<Record<string, string>>
}

const table = <Columns extends Record<string, Column<unknown>>>(
  columns: Columns,
  key: readonly (keyof Columns & string)[],
  more: Omit<Table<Columns>, 'columns' | 'key'> = {},
): Table<Columns> => ({ columns, key, ...more })

const text: Column<string> = { type: 'text' }
const integer: Column<number> = { type: 'integer' }
const bigint: Column<number> = { type: 'bigint' }
const number: Column<Generated<number>> = { type: 'bigint', isNumber: true }
const from = (first: number, type: 'integer' | 'bigint' = 'integer'): Column<Generated<number>> => ({
  type,
  default: first,
})
const one = <Word extends string>(): Column<Word> => ({ type: 'text' })
const orNull = <Value>(column: Column<Value>): Column<Value | null> => ({ ...column, isNull: true })
const each = <Value, Name extends string>(column: Column<Value>, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, column])) as Record<Name, Column<Value>>

// One set of tables for both engines, with their types. Times are milliseconds since 1970, amounts are decimal text, flags are 0 or 1.
// Once a version is released, a change of a table is a migration of its own in `migrate.ts`, and stands here too.

export type Engine = 'sqlite' | 'postgres'

/** Refused calls come behind fresh ones: those that wait for themselves. */
export const refusedLast = "case when waits_for = 'self' then 1 else 0 end"

const callColumns = {
  lane: text,
  /** `tries`: the failed ones so far. `owner`: the process that has claimed it, until the end of its lease. */
  ...{ due_at: orNull(bigint), tries: from(0), owner: orNull(text), leased_until: orNull(bigint) },
  /**
   * Of a call that failed. `lane`: that may be to blame, and the call is due at once when it opens; `recalls` counts how often that came. `self`: its own
   * answer was the reason, or it was recalled five times.
   */
  ...{ waits_for: orNull(one<'lane' | 'self'>()), recalls: from(0) },
}

const shopTables = {
  shops: table(
    {
      ...{ id: text, platform_id: orNull(text), created_at: bigint, disabled_at: orNull(bigint) },
      /** 1 once a person has confirmed the list of hosts. */
      hosts_confirmed: from(0),
      ...{ sealed_settings: orNull(text), settings_version: from(0, 'bigint') },
      /** When the platform called it last, to the minute. */
      called_at: orNull(bigint),
      /** When its registration was compared with the platform last, and what differed: empty where nothing did. */
      ...{ compared_at: orNull(bigint), compared: orNull(text) },
    },
    ['id'],
  ),
  /** The records of removed shops: no other shop gets the id of one. */
  removed_shops: table({ id: text, name: text, removed_at: bigint }, ['id'], { indexes: { name: '(name)' } }),
  endpoints: table(
    { token_hash: text, shop_id: text, sealed_token: text, created_at: bigint, expires_at: orNull(bigint) },
    ['token_hash'],
    { indexes: { shop: '(shop_id)' } },
  ),
  push_addresses: table(
    { token_hash: text, shop_id: text, adapter: text, sealed_token: text, created_at: bigint },
    ['token_hash'],
    { unique: { of: '(shop_id, adapter)' } },
  ),
  webhook_keys: table(
    { id: text, shop_id: text, sealed_secret: text, created_at: bigint, expires_at: orNull(bigint) },
    ['id'],
    { indexes: { shop: '(shop_id)' } },
  ),
  shop_hosts: table({ shop_id: text, host: text, added_at: bigint }, ['shop_id', 'host']),
  /** It refers to no shop: the trail of one that was removed stays. `detail` is the rest of the action, as JSON. */
  audit: table(
    {
      id: number,
      shop_id: text,
      at: bigint,
      author: text,
      action: text,
      detail: text,
    },
    ['id'],
    { indexes: { shop: '(shop_id, at)', at: '(at)' } },
  ),
  /** Images of brands, in base64. Those of files are not here. `shop_id` is empty for a brand of the provider; `source` is an address. */
  images: table(
    {
      ...each(text, 'shop_id', 'source', 'name', 'type', 'content'),
      ...{ width: integer, height: integer, fetched_at: bigint },
    },
    ['shop_id', 'source'],
    { indexes: { by_name: '(name)' } },
  ),
  /** Data that platforms send beside the contract. */
  drifts: table(
    {
      ...{ shop_id: text, message: text, path: text, kind: text, became: text },
      ...{ count: bigint, first_at: bigint, last_at: bigint },
    },
    ['shop_id', 'message', 'path', 'kind', 'became'],
  ),
}

const attempts = table(
  {
    ...{ shop_id: text, order_id: text, number: integer, id: text, order_number: orNull(text) },
    ...each(text, 'adapter', 'method_id', 'amount', 'currency'),
    mode: text,
    /** 1: an authorisation counts as money. */
    authorised_is_paid: from(0),
    underpaid_by: orNull(text),
    ...each(text, 'language', 'idempotency_key', 'page_hash'),
    ...{ how: orNull(text), url_expires_at: orNull(bigint) },
    ...each(orNull(text), 'payment_url', 'reference', 'sealed_data'),
    ...each(bigint, 'opened_at', 'expires_at'),
    /** The latest expiry that its payment service reported; a later answer of `start` does not shorten it. */
    reported_expires_at: orNull(bigint),
    /** The last report of its payment service about an attempt that goes on, and when it came. */
    ...{ last_word: orNull(text), last_word_at: orNull(bigint) },
    /** The time of the next check, null once there is nothing to wait for. */
    check_at: orNull(bigint),
    /** When its payment service was asked last how it stands, and what it answered. */
    ...{ asked_at: orNull(bigint), asked_answer: orNull(text) },
    /** The time until which its page is reserved for one form. */
    page_leased_until: orNull(bigint),
    /** Where its customer is on the page, sealed. */
    page_state: orNull(text),
  },
  // Only one index of this table fits a look-up: PostgreSQL, which plans while the table is empty, cannot take one by the shop.
  ['order_id', 'shop_id', 'number'],
  {
    unique: { id: '(id, shop_id)', page: '(page_hash)' },
    indexes: {
      reference: '(reference, adapter, shop_id) where reference is not null',
      check: '(check_at) where check_at is not null',
      opened: '(opened_at)',
      order_number: '(order_number) where order_number is not null',
      amount: '(amount, opened_at)',
    },
  },
)

const paymentTables = {
  payments: table(
    {
      ...{ shop_id: text, order_id: text, status: one<PaymentStatus>(), status_version: integer },
      ...{ read_version: from(0), read_at: orNull(bigint), redirect_url: text, webhook_url: text },
      /** The attempt whose money made it paid. */
      paid_by: orNull(text),
      /** `last_at`: when something about it was learned, read, opened or closed last. */
      ...each(bigint, 'created_at', 'changed_at', 'last_at'),
    },
    ['shop_id', 'order_id'],
    {
      isKeyed: true,
      indexes: { changed: '(changed_at)', last: '(last_at)', last_of_shop: '(shop_id, last_at)' },
    },
  ),
  attempts,
  facts: table(
    {
      ...each(text, 'shop_id', 'order_id', 'attempt_id', 'fact_key'),
      /** Counts the facts of an attempt as they were learned. */
      number: integer,
      kind: text,
      ...each(orNull(text), 'event', 'amount', 'currency', 'detail'),
      ...{ mode: orNull(text), source: text, learned_at: bigint },
      /** The process that learned it. */
      node: orNull(text),
      ...each(orNull(bigint), 'happened_at', 'answer_by'),
      /** 1: its event is on record with other money, so it counts as nothing. */
      conflicts: orNull(integer),
    },
    ['shop_id', 'order_id', 'attempt_id', 'fact_key'],
    { indexes: { event: '(event) where event is not null' } },
  ),
  anomalies: table(
    {
      ...each(text, 'shop_id', 'order_id', 'attempt_id'),
      kind: text,
      /** The event that it is about; empty where there can be one alone. */
      event: text,
      id: text,
      ...each(orNull(text), 'expected', 'received', 'stake', 'currency', 'note'),
      ...{ opened_at: bigint, closed_at: orNull(bigint), answer_by: orNull(bigint) },
    },
    ['shop_id', 'order_id', 'attempt_id', 'kind', 'event'],
    { unique: { named: '(id)' }, indexes: { open: '(closed_at, opened_at)' } },
  ),
  money_requests: table(
    {
      ...{ shop_id: text, order_id: text, request_key: text, kind: text },
      ...{ attempt_id: text, amount: text, currency: text, asked_at: bigint },
      /** Null while it is unknown. */
      outcome: orNull(text),
      ...{ detail: orNull(text), why: orNull(text) },
    },
    ['shop_id', 'order_id', 'request_key'],
    { indexes: { open: '(asked_at) where outcome is null' } },
  ),
  /** The feed of what changed about payments. `place` is set once a line is read. */
  changes: table(
    {
      ...{ id: number, place: orNull(bigint), shop_id: text, order_id: text, attempt_id: text, at: bigint },
      ...{ kind: text, event: orNull(text), amount: orNull(text) },
      ...{ currency: orNull(text), status: one<PaymentStatus>() },
    },
    ['id'],
    {
      indexes: {
        place: '(place) where place is not null',
        new: '(id) where place is null',
        order: '(shop_id, order_id)',
      },
    },
  ),
  /** Background calls of an adapter's `status` in an hour. */
  asks: table({ adapter: text, hour: bigint, calls: integer }, ['adapter', 'hour']),
}

const callTables = {
  webhooks: table(
    {
      ...each(text, 'shop_id', 'order_id'),
      /** The address is copied from the payment, because a claim reads no other table. The last version is the one delivered before. */
      ...{ webhook_url: text, version: integer, delivered_version: integer, owed_since: bigint },
      ...callColumns,
    },
    ['shop_id', 'order_id'],
    {
      ...{ isKeyed: true, isHot: true },
      // An open lane takes fresh calls before refused ones, each in the order in which it became due.
      indexes: { due: `(lane, (${refusedLast}), due_at) where due_at is not null` },
    },
  ),
  /** Of the webhooks of a shop to one host, and of its pushes through one adapter. */
  lanes: table(
    {
      /** `adapter` is empty for webhooks. `receiver` is the host or the adapter. */
      ...each(text, 'lane', 'adapter', 'shop_id', 'receiver'),
      /** The earliest time of a claim; null while it is empty. `is_full` is 1 while more calls are due than may be open at a time. */
      ...{ next_due: orNull(bigint), is_full: from(0) },
      /** The failures in a row, when the first was, and the last one in words. */
      ...{ failures: from(0), failing_since: orNull(bigint), last_failure: orNull(text) },
      /** When it closed, and when it is probed next; both null while it is open. */
      ...each(orNull(bigint), 'closed_at', 'probe_at'),
      /** The last time that it was closed: from its first failure to its opening, why, and how many calls waited at the end. */
      ...each(orNull(bigint), 'outage_began_at', 'outage_ended_at'),
      ...{ outage_failure: orNull(text), outage_waiting: orNull(integer) },
    },
    ['lane'],
    {
      isHot: true,
      indexes: {
        due: '(adapter, next_due) where next_due is not null',
        closed: '(probe_at) where probe_at is not null',
        // There are few, and each batch of deliveries asks for them.
        failing: '(lane) where failures > 0',
      },
    },
  ),
  /** One row for each status version: its first delivery, its last if there were more, and their number. */
  deliveries: table(
    {
      ...{ shop_id: text, order_id: text, version: integer, calls: from(1) },
      ...{ at: bigint, ms: integer, status: orNull(integer), failure: orNull(text), answer: text },
      /** The id of a signed webhook. */
      message: orNull(text),
      ...{ last_at: orNull(bigint), last_ms: orNull(integer), last_status: orNull(integer) },
      ...{ last_failure: orNull(text), last_answer: orNull(text) },
    },
    ['shop_id', 'order_id', 'version'],
    {
      indexes: {
        at: '(coalesce(last_at, at))',
        message: '(message) where message is not null',
      },
    },
  ),
  /** Webhooks that a shop accepted without reading the status for 15 minutes. */
  reminders: table(
    {
      ...each(text, 'shop_id', 'order_id'),
      /** When the shop first accepted the webhook of this version, and when it is delivered again. */
      ...{ version: integer, accepted_at: bigint, remind_at: bigint },
    },
    ['order_id', 'shop_id'],
    { indexes: { due: '(remind_at, accepted_at)' } },
  ),
  pushes: table(
    {
      ...each(text, 'shop_id', 'adapter', 'push_key'),
      /** `sealed`: its content, null once it is processed. `outcome`: in words, what became of it or of its last try. */
      ...{ sealed: orNull(text), received_at: bigint, times: integer, processed_at: orNull(bigint) },
      outcome: orNull(text),
      /** Its `PushState`; null while it waits for its first try, and after it was processed. */
      trouble: orNull(one<PushTrouble | 'ignored'>()),
      /** A list in JSON: what it calls the payments that are not here. */
      names: orNull(text),
      ...callColumns,
    },
    ['shop_id', 'adapter', 'push_key'],
    {
      isHot: true,
      indexes: {
        due: `(lane, (${refusedLast}), due_at) where due_at is not null`,
        received: '(received_at)',
        // Few pushes have one: a push that goes well costs no further index.
        trouble: '(trouble, received_at) where trouble is not null',
      },
    },
  ),
  /** References that a push names and no attempt has yet. */
  push_names: table(each(text, 'shop_id', 'name', 'adapter', 'push_key'), [
    ...(['shop_id', 'name', 'adapter', 'push_key'] as const),
  ]),
}

const nodeTables = {
  /** The running processes, and when each was last seen. `opens` are the ids of its secrets, separated by spaces. */
  nodes: table(
    {
      ...{ id: text, opens: text, seen_at: bigint, host: text, pid: bigint, main_pid: bigint },
      ...{ version: text, build: text, since: bigint, url: orNull(text) },
    },
    ['id'],
  ),
  /** Rate adapters that are slow or skipped, one row for each node that finds them so. */
  breakers: table(
    {
      /** `shop_id` is empty for all shops. `next_try` is 0 where the adapter is slow and not skipped. `seen_at`: its node stored it last. */
      ...each(text, 'node', 'adapter', 'shop_id', 'last_failure'),
      ...each(bigint, 'since', 'next_try', 'seen_at'),
      /** 1: a person has released it, and its node will close it. */
      is_released: from(0),
    },
    ['node', 'adapter', 'shop_id'],
  ),
  /** Times in which a rate adapter was slow or skipped, by the node that saw it. `shop_id` is empty for all shops. */
  rate_outages: table(
    { node: text, adapter: text, shop_id: text, began_at: bigint, ended_at: bigint, failure: text },
    ['node', 'adapter', 'shop_id', 'began_at'],
    { indexes: { ended: '(ended_at)' } },
  ),
  /**
   * The minutes of nodes, and the half hours of deliveries, by what happened in them: durations in milliseconds. `minute` is its start. Half-hour
   * rows have the highest percentiles of their minutes.
   */
  minutes: table(
    {
      ...{ what: text, span: integer, minute: bigint, label: text, node: text },
      ...each(integer, 'count', 'failed', 'p50', 'p95', 'p99'),
    },
    ['what', 'span', 'minute', 'label', 'node'],
    { isKeyed: true, indexes: { old: '(span, minute)' } },
  ),
  /** A sample of the questions for rates, and those with a failure. `explanation` is JSON; nothing of a customer but the country is here. */
  rate_questions: table(
    {
      ...{ id: text, shop_id: text, at: bigint, kind: one<'checkout' | 'estimate'>(), country: text },
      ...{ weight: orNull(text), lines: integer, value: text, currency: text, ms: integer },
      ...{ methods: integer, missing: integer, explanation: text },
    },
    ['id'],
    { indexes: { at: '(at)', of_shop: '(shop_id, at)' } },
  ),
  /** Links into the console that nobody has opened yet. */
  console_links: table({ token_hash: text, name: text, role: text, expires_at: bigint }, ['token_hash']),
  /** When somebody was signed out everywhere: sessions from before are over. */
  console_sign_outs: table({ name: text, at: bigint }, ['name']),
  /** Failures of payment services, one row for each node that saw them, adapter and shop. */
  service_failures: table(
    {
      ...{ node: text, kind: one<ServiceFailureKind>(), adapter: text, shop_id: text },
      /** `ok_at`: the first success after the last failure. */
      ...{ first_at: bigint, last_at: bigint, ok_at: orNull(bigint), calls: bigint, failure: text },
    },
    ['node', 'kind', 'adapter', 'shop_id'],
    { indexes: { last: '(last_at)' } },
  ),
}

const storeTables = {
  /** Keys that the provider creates once for each store, sealed. */
  keys: table({ name: text, sealed: text, created_at: bigint }, ['name']),
  /** `changes`: the last place that was given. `deliveries`: the time up to which those that no shop has read were looked for. */
  feeds: table({ name: text, last_place: bigint }, ['name']),
  /** Always empty: a row is added and deleted to test whether writes work. */
  write_probes: table({ id: text, filler: text }, ['id']),
  /**
   * The marks of `purveyor db copy`, one row for each role: whether this store was copied, or is a copy. `copy_id` is the same in both stores, and
   * `other` the other one, as it is shown: without a password.
   */
  store_copies: table(
    {
      ...{ role: one<'source' | 'copy'>(), copy_id: text, other: text },
      /** Of a source: `moved`. Of a copy: `finished`, or `retired` once the source serves again. */
      state: one<'moved' | 'finished' | 'retired'>(),
      /** `served_at`: when the first provider started on this copy. */
      ...{ began_at: bigint, ended_at: orNull(bigint), served_at: orNull(bigint) },
    },
    ['role'],
  ),
}

// Rows of the first table are referred to by others.
const schema = { ...shopTables, ...paymentTables, ...callTables, ...nodeTables, ...storeTables }

type ValueOf<Of> = Of extends Column<infer Value> ? Value : never
type RowOf<Of> = Of extends Table<infer Columns> ? { [Name in keyof Columns]: ValueOf<Columns[Name]> } : never
export type Tables = { [Name in keyof typeof schema]: RowOf<(typeof schema)[Name]> }
export type TableName = keyof Tables

export const tables: Readonly<Record<TableName, Table<Readonly<Record<string, Column<unknown>>>>>> = schema
export const tableNames = Object.keys(schema) as TableName[]

type NamesWith<Name extends string> = {
  [One in TableName]: Name extends keyof Tables[One] ? One : never
}[TableName]
const having = <Name extends string>(column: Name, without: readonly string[]) =>
  tableNames.filter((name) => column in tables[name].columns && !without.includes(name)) as NamesWith<Name>[]

/** Tables with rows of an order. The payment comes last, because others are found by it. */
export const tablesOfOrders = [...having('order_id', ['payments']), 'payments'] as const
/** All tables with rows of a shop but its audit trail. */
export const tablesOfShops = [...having('shop_id', ['audit', 'payments']), 'payments'] as const
