import type { Selectable } from 'kysely'
import type { AuditEntry } from '../../audit.ts'
import { type AnomalyKind, anomalyKinds, type OpenedAnomaly } from '../../payments/anomalies.ts'
import type { MoneyRequest } from '../../payments/movements.ts'
import type { Attempt, Fact, Payment } from '../../payments/payment.ts'
import type { Endpoint, Shop } from '../../shops/shop.ts'
import type { PaymentChange, PaymentSummary } from '../../store.ts'
import { type Column, nameOf } from './columns.ts'
import type { Tables } from './tables/schema.ts'

// Maps between rows, where no data is null, and the domain's objects, where it is undefined.

export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

type Camel<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name
export type Plain<Of> = {
  [Name in keyof Of as Camel<Name>]: null extends Of[Name] ? Exclude<Of[Name], null> | undefined : Of[Name]
}

/** A row whose columns are the members of an object: `order_id` becomes `orderId`, and null undefined. */
export const plain = <Of extends object>(row: Of): Plain<Of> =>
  members(row, ...(Object.keys(row) as (keyof Of & Column)[])) as Plain<Of>

/** As `plain`, with these columns of a row. */
export function members<Of extends object, Name extends keyof Of & Column>(
  row: Of,
  ...names: Name[]
): Plain<Pick<Of, Name>> {
  const found: Record<string, unknown> = {}
  for (const name of names) found[nameOf(name)] = row[name] ?? undefined
  return found as Plain<Pick<Of, Name>>
}

export const orderFrom = (row: { shop_id: string; order_id: string }) => members(row, 'shop_id', 'order_id')

export interface HostRow {
  shop_id: string
  host: string
}

export const shopFrom = (row: Row<'shops'>, hosts: readonly { host: string }[]): Shop => ({
  ...members(row, 'id', 'platform_id', 'sealed_settings', 'settings_version'),
  disabled: row.disabled_at !== null,
  hosts: { names: hosts.map(({ host }) => host), confirmed: row.hosts_confirmed === 1 },
})

export const addressFrom = (row: { token_hash: string; sealed_token: string }) =>
  members(row, 'token_hash', 'sealed_token')

export const endpointFrom = ({ shop_id: _, ...row }: Row<'endpoints'>): Endpoint => plain(row)

/** A secret that signs a shop's webhooks. Without `expiresAt` it never ends. */
export type WebhookKey = ReturnType<typeof webhookKeyFrom>

export const webhookKeyFrom = (row: Row<'webhook_keys'>) => ({
  ...members(row, 'id', 'created_at', 'expires_at'),
  sealed: row.sealed_secret,
})

export const auditEntryFrom = (row: Row<'audit'>): AuditEntry => ({
  shop: row.shop_id,
  at: row.at,
  by: row.author,
  action: row.action,
  ...JSON.parse(row.detail),
})

/** A process, as `nodes list` shows it: where and what it is. `since` is when it started. */
export type NodeRuns = Plain<
  Pick<Row<'nodes'>, 'host' | 'pid' | 'main_pid' | 'version' | 'build' | 'since'>
> & {
  /** The address that shops call. Not set before it listens. */
  url?: string | undefined
}

/** A running process of the provider. `opens` are the ids of the secrets whose texts it opens, the one that it has as its own first. */
export type NodeSeen = ReturnType<typeof nodeFrom>

export const nodeFrom = ({ id, opens, seen_at: seenAt, url, ...row }: Row<'nodes'>) => ({
  ...{ id, opens: opens.split(' ') as readonly string[], seenAt },
  runs: { ...plain(row), ...(url !== null && { url }) } as NodeRuns,
})

const factFrom = (row: Row<'facts'>): Fact => ({
  ...members(row, 'kind', 'event', 'amount', 'currency', 'mode', 'happened_at', 'answer_by', 'detail'),
  source: row.source as Fact['source'],
  at: row.learned_at,
  conflicts: row.conflicts === 1 ? true : undefined,
})

/** The part of an attempt that a push may have changed before the answer of its start came. */
export const startedFrom = (row: Pick<Row<'attempts'>, 'expires_at' | 'last_word' | 'last_word_at'>) => ({
  expiresAt: row.expires_at,
  lastWord: row.last_word === null ? undefined : { is: row.last_word, at: row.last_word_at ?? 0 },
})

export const factsOf = (facts: readonly Row<'facts'>[], attemptId: string): Fact[] =>
  facts.filter((fact) => fact.attempt_id === attemptId).map(factFrom)

/** `facts` are those of the order. */
const attemptFrom = (row: Row<'attempts'>, facts: readonly Row<'facts'>[]): Attempt => ({
  ...members(
    row,
    'id',
    'shop_id',
    'order_id',
    'order_number',
    'adapter',
    'method_id',
    'amount',
    'currency',
    'mode',
  ),
  ...members(row, 'underpaid_by', 'language', 'idempotency_key', 'page_hash', 'opened_at', 'page_state'),
  ...startedFrom(row),
  authorisedIsPaid: row.authorised_is_paid === 1,
  started: row.how
    ? { ...members(row, 'payment_url', 'url_expires_at', 'reference', 'sealed_data'), how: row.how }
    : undefined,
  facts: factsOf(facts, row.id),
  asked: row.asked_at === null ? undefined : { at: row.asked_at, answer: row.asked_answer ?? '' },
})

/** A payment, and what was delivered before the webhook that is owed; null where nothing is owed. */
export type PaymentRow = Row<'payments'> & { delivered_before: number | null }

export const paymentFrom = (
  row: PaymentRow,
  attempts: readonly Row<'attempts'>[],
  facts: readonly Row<'facts'>[],
): Payment => ({
  ...members(row, 'shop_id', 'order_id', 'status', 'status_version', 'read_version', 'read_at', 'changed_at'),
  ...members(row, 'redirect_url', 'webhook_url', 'paid_by'),
  openedAt: row.created_at,
  deliveredVersion: row.delivered_before ?? row.status_version,
  attempts: attempts.map((attempt) => attemptFrom(attempt, facts)),
})

export const summaryFrom = ({
  shop_id: shop,
  created_at: openedAt,
  ...row
}: Pick<Row<'payments'>, 'shop_id' | 'order_id' | 'status' | 'created_at' | 'changed_at'> &
  Pick<Row<'attempts'>, 'amount' | 'currency' | 'adapter'>): PaymentSummary => ({
  ...plain(row),
  shop,
  openedAt,
})

export const moneyRequestFrom = ({ request_key: key, ...row }: Row<'money_requests'>): MoneyRequest => ({
  ...plain(row),
  key,
})

export const anomalyFrom = (row: Row<'anomalies'>): OpenedAnomaly => ({
  ...plain(row),
  remedy: remedyOf(row.kind),
})

/** A newer node may have opened a kind that this one does not know. */
const remedyOf = (kind: AnomalyKind): string =>
  anomalyKinds[kind]?.remedy ?? `Run \`purveyor explain ${kind}\` of the newest version.`

export const changeFrom = ({
  id: _,
  place,
  shop_id: shop,
  attempt_id: attempt,
  ...row
}: Row<'changes'>): PaymentChange => ({ ...plain(row), cursor: String(place), shop, attempt })

/** Anomalies of one cause, counted together: the number of `shops` and `orders`, one of each, and when the first and the last of them opened. */
export interface CauseRow
  extends Pick<
    Row<'anomalies'>,
    ('kind' | 'shop_id' | 'order_id' | 'id' | 'opened_at') | ('expected' | 'received' | 'stake' | 'currency')
  > {
  adapter: string | null
  count: number
  shops: number
  orders: number
  last_opened_at: number
}

export type AnomalyCause = ReturnType<typeof causeFrom>

export const causeFrom = (row: CauseRow) => ({
  ...members(row, 'kind', 'adapter', 'count', 'opened_at'),
  shops: row.shops,
  lastOpenedAt: row.last_opened_at,
  shopId: row.shops === 1 ? row.shop_id : undefined,
  orderId: row.shops === 1 && row.orders === 1 ? row.order_id : undefined,
  id: row.count === 1 ? row.id : undefined,
  ...(row.count === 1 && row.stake !== null && members(row, 'expected', 'received', 'stake', 'currency')),
  remedy: remedyOf(row.kind),
})

/** The name in a row of a breaker for all shops. */
export const forAll = ''
export const breakerShop = (row: { shop_id: string }) => (row.shop_id === forAll ? undefined : row.shop_id)

export type BreakerRecord = ReturnType<typeof breakerFrom>

/** The rows of one breaker, one for each node, the oldest first. */
export function breakerFrom(rows: readonly Row<'breakers'>[]) {
  const lastCalls = rows.flatMap(({ last_call_at }) => last_call_at ?? [])
  return {
    adapter: rows[0]!.adapter,
    shopId: breakerShop(rows[0]!),
    since: rows[0]!.since,
    nextTry: rows.some(({ next_try }) => next_try > 0)
      ? Math.min(...rows.flatMap(({ next_try }) => next_try || []))
      : undefined,
    lastFailure: rows.at(-1)!.last_failure,
    // A node that noted none may have called it since.
    ...(lastCalls.length === rows.length && { lastCallAt: Math.max(...lastCalls) }),
    nodes: rows.length,
  }
}
