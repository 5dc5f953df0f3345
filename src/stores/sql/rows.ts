import type { Selectable } from 'kysely'
import type { AuditEntry } from '../../audit.ts'
import type { OpenedAnomaly } from '../../payments/anomalies.ts'
import { type AnomalyKind, anomalyKinds } from '../../payments/anomaly-kinds.ts'
import type { Fact } from '../../payments/facts.ts'
import type { MoneyRequest } from '../../payments/money-request.ts'
import type { Attempt, Payment } from '../../payments/payment.ts'
import type { Endpoint, Shop } from '../../shops/shop.ts'
import type { AnomalyCause } from '../../store/anomalies.ts'
import type { PaymentChange } from '../../store/changes.ts'
import type { CopyMark } from '../../store/copies.ts'
import type { BreakerRecord, NodeSeen } from '../../store/nodes.ts'
import type { PaymentSummary } from '../../store/payments.ts'
import type { WebhookKey } from '../../store/shops.ts'
import { type Column, nameOf } from './columns.ts'
import type { Tables } from './schema.ts'

// Maps between rows, where no data is null, and the domain's objects, where it is undefined.

export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

type Camel<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name
type Plain<Of> = {
  [Name in keyof Of as Camel<Name>]: null extends Of[Name] ? Exclude<Of[Name], null> | undefined : Of[Name]
}

/** A row whose columns are the members of an object: `order_id` becomes `orderId`, and null undefined. */
export const plain = <Of extends object>(row: Of): Plain<Of> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [nameOf(name as Column), value ?? undefined]),
  ) as Plain<Of>

export const orderFrom = (row: { shop_id: string; order_id: string }) => ({
  shopId: row.shop_id,
  orderId: row.order_id,
})

export const shopFrom = (row: Row<'shops'>, hosts: readonly { host: string }[]): Shop => ({
  id: row.id,
  platformId: row.platform_id ?? undefined,
  disabled: row.disabled_at !== null,
  hosts: { names: hosts.map(({ host }) => host), confirmed: row.hosts_confirmed === 1 },
  sealedSettings: row.sealed_settings ?? undefined,
  settingsVersion: row.settings_version,
})

export const addressFrom = (row: { token_hash: string; sealed_token: string }) => ({
  tokenHash: row.token_hash,
  sealedToken: row.sealed_token,
})

export const endpointFrom = ({ shop_id: _, ...row }: Row<'endpoints'>): Endpoint => plain(row)

export const webhookKeyFrom = ({
  shop_id: _,
  sealed_secret: sealed,
  ...row
}: Row<'webhook_keys'>): WebhookKey => ({
  ...plain(row),
  sealed,
})

export const auditEntryFrom = (row: Row<'audit'>): AuditEntry => ({
  shop: row.shop_id,
  at: row.at,
  by: row.author,
  action: row.action,
  ...JSON.parse(row.detail),
})

export const nodeFrom = ({ id, opens, seen_at: seenAt, url, ...row }: Row<'nodes'>): NodeSeen => ({
  ...{ id, opens: opens.split(' '), seenAt },
  runs: { ...plain(row), ...(url !== null && { url }) },
})

const factFrom = (row: Row<'facts'>): Fact => ({
  kind: row.kind,
  event: row.event ?? undefined,
  amount: row.amount ?? undefined,
  currency: row.currency ?? undefined,
  mode: row.mode ?? undefined,
  source: row.source as Fact['source'],
  at: row.learned_at,
  happenedAt: row.happened_at ?? undefined,
  answerBy: row.answer_by ?? undefined,
  detail: row.detail ?? undefined,
  conflicts: row.conflicts === 1 ? true : undefined,
})

/** The part of an attempt that a push may have changed before the answer of its start came. */
export const startedFrom = (row: Pick<Row<'attempts'>, 'expires_at' | 'last_word' | 'last_word_at'>) => ({
  expiresAt: row.expires_at,
  lastWord: row.last_word === null ? undefined : { is: row.last_word, at: row.last_word_at ?? 0 },
})

/** Of the facts of an order those of one attempt. */
export const factsOf = (facts: readonly Row<'facts'>[], attemptId: string): Fact[] =>
  facts.filter((fact) => fact.attempt_id === attemptId).map(factFrom)

/** `facts` are those of the order. */
const attemptFrom = (row: Row<'attempts'>, facts: readonly Row<'facts'>[]): Attempt => ({
  id: row.id,
  ...orderFrom(row),
  orderNumber: row.order_number ?? undefined,
  adapter: row.adapter,
  methodId: row.method_id,
  amount: row.amount,
  currency: row.currency,
  mode: row.mode,
  authorisedIsPaid: row.authorised_is_paid === 1,
  underpaidBy: row.underpaid_by ?? undefined,
  language: row.language,
  idempotencyKey: row.idempotency_key,
  pageHash: row.page_hash,
  started: row.how
    ? {
        how: row.how,
        paymentUrl: row.payment_url ?? undefined,
        urlExpiresAt: row.url_expires_at ?? undefined,
        reference: row.reference ?? undefined,
        sealedData: row.sealed_data ?? undefined,
      }
    : undefined,
  openedAt: row.opened_at,
  ...startedFrom(row),
  facts: factsOf(facts, row.id),
  asked: row.asked_at === null ? undefined : { at: row.asked_at, answer: row.asked_answer ?? '' },
  pageState: row.page_state ?? undefined,
})

/** A payment, and what was delivered before the webhook that is owed; null where nothing is owed. */
export type PaymentRow = Row<'payments'> & { delivered_before: number | null }

export const paymentFrom = (
  row: PaymentRow,
  attempts: readonly Row<'attempts'>[],
  facts: readonly Row<'facts'>[],
): Payment => ({
  ...orderFrom(row),
  status: row.status,
  statusVersion: row.status_version,
  deliveredVersion: row.delivered_before ?? row.status_version,
  readVersion: row.read_version,
  readAt: row.read_at ?? undefined,
  openedAt: row.created_at,
  changedAt: row.changed_at,
  redirectUrl: row.redirect_url,
  webhookUrl: row.webhook_url,
  paidBy: row.paid_by ?? undefined,
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

/** Anomalies of one cause, counted together. */
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

export const causeFrom = (row: CauseRow): AnomalyCause => ({
  kind: row.kind,
  adapter: row.adapter ?? undefined,
  count: row.count,
  shops: row.shops,
  shopId: row.shops === 1 ? row.shop_id : undefined,
  orderId: row.shops === 1 && row.orders === 1 ? row.order_id : undefined,
  id: row.count === 1 ? row.id : undefined,
  ...(row.count === 1 && row.stake !== null && moneyOf(row)),
  remedy: remedyOf(row.kind),
  openedAt: row.opened_at,
  lastOpenedAt: row.last_opened_at,
})

const moneyOf = ({ expected, received, stake, currency }: CauseRow) =>
  plain({ expected, received, stake, currency })

export const copyMarkFrom = (row: Row<'store_copies'>): CopyMark => plain(row)

/** The name in a row of a breaker for all shops. */
export const forAll = ''
export const breakerShop = (row: { shop_id: string }) => (row.shop_id === forAll ? undefined : row.shop_id)

/** The rows of one breaker, one for each node, the oldest first. */
export function breakerFrom(rows: readonly Row<'breakers'>[]): BreakerRecord {
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
