import type { Generated } from 'kysely'
import type { AuditAction } from '../../audit.ts'
import type { PaymentStatus } from '../../contract/index.ts'
import type { AnomalyKind } from '../../payments/anomaly-kinds.ts'
import type { FactKind, PaymentMode } from '../../payments/facts.ts'
import type { PushTrouble } from '../../store.ts'

// One set of tables for every SQL engine. Times are milliseconds since 1970, amounts are decimal text, flags are 0 or 1.

export interface Tables {
  shops: {
    id: string
    platform_id: string | null
    language: string | null
    created_at: number
    disabled_at: number | null
    /** 1 once somebody has confirmed the list of hosts. */
    hosts_confirmed: number
    sealed_settings: string | null
    settings_version: number
  }
  endpoints: {
    token_hash: string
    shop_id: string
    sealed_token: string
    created_at: number
    expires_at: number | null
  }
  shop_hosts: { shop_id: string; host: string; added_at: number }
  audit: {
    id: Generated<number>
    shop_id: string
    at: number
    author: string
    action: AuditAction['action']
    /** The rest of the action, as JSON. */
    detail: string
  }
  payments: {
    shop_id: string
    order_id: string
    status: PaymentStatus
    status_version: number
    delivered_version: number
    read_version: number
    read_at: number | null
    redirect_url: string
    webhook_url: string
    created_at: number
    changed_at: number
    /** When the shop first accepted the webhook of `delivered_version`. */
    accepted_at: Generated<number | null>
    /** When that webhook is delivered again; null once the status was read, or nobody waits for it any more. */
    remind_at: Generated<number | null>
  }
  attempts: {
    shop_id: string
    order_id: string
    number: number
    id: string
    order_number: string | null
    adapter: string
    method_id: string
    amount: string
    currency: string
    mode: PaymentMode
    language: string
    idempotency_key: string
    page_hash: string
    /** Of the address that the page had before, which goes on. */
    earlier_page_hash: string | null
    how: 'redirect' | 'page' | 'later' | null
    payment_url: string | null
    url_expires_at: number | null
    reference: string | null
    opened_at: number
    expires_at: number
    /** When the clock looks at it next; null once nothing is left to wait for. */
    check_at: number | null
    /** Until when nobody else may handle a form of its page. */
    page_held_until: number | null
  }
  facts: {
    shop_id: string
    order_id: string
    attempt_id: string
    fact_key: string
    kind: FactKind
    amount: string | null
    currency: string | null
    mode: PaymentMode | null
    source: string
    at: number
    detail: string | null
  }
  anomalies: {
    shop_id: string
    order_id: string
    attempt_id: string
    kind: AnomalyKind
    id: string
    opened_at: number
    closed_at: number | null
    note: string | null
  }
  lanes: {
    lane: string
    /** When something in it may be claimed; null while it is empty. */
    next_due: number | null
    failures: number
    /** Since when it is closed, and when it is probed next; both null while it is open. */
    closed_at: Generated<number | null>
    probe_at: Generated<number | null>
    last_failure: Generated<string | null>
    /** 1 while more is due in it than may be called at a time. */
    is_full: number
  }
  /** One row for each status version: its first call, its last where there was another, and how many. */
  deliveries: {
    shop_id: string
    order_id: string
    version: number
    calls: Generated<number>
    /** 1: the row counts the calls for its status. 0: it is one call, of a node of the version before. */
    is_counted: Generated<number>
    at: number
    ms: number
    status: number | null
    failure: string | null
    answer: string
    last_at: Generated<number | null>
    last_ms: Generated<number | null>
    last_status: Generated<number | null>
    last_failure: Generated<string | null>
    last_answer: Generated<string | null>
  }
  /** What the provider makes once for each store, sealed. */
  keys: { name: string; sealed: string; created_at: number }
  /** The processes that run, and when each was seen last. `opens` are the ids of its secrets, with spaces between. */
  nodes: {
    id: string
    opens: string
    seen_at: number
    /** Null for a node of the version before, as all that follow. */
    host: string | null
    pid: number | null
    main_pid: number | null
    version: string | null
    build: string | null
    since: number | null
  }
  /** Always empty: a row is added and taken away again, to see whether writes go through. */
  write_probes: { id: string; filler: string }
  /** Open breakers of rate adapters, one row for each node that left an adapter alone. */
  breakers: {
    node: string
    adapter: string
    /** Empty where it is for all shops. */
    shop_id: string
    since: number
    next_try: number
    last_failure: string
    /** When its node noted it last. */
    seen_at: number
    /** 1: a person has released it, and its node is to close it. */
    is_released: Generated<number>
  }
  push_addresses: {
    token_hash: string
    shop_id: string
    adapter: string
    sealed_token: string
    created_at: number
  }
  webhook_keys: {
    id: string
    shop_id: string
    sealed_secret: string
    created_at: number
    expires_at: number | null
  }
  pushes: {
    shop_id: string
    adapter: string
    push_key: string
    /** Null once it is processed. */
    body: string | null
    headers: string
    query: string
    received_at: number
    times: number
    due_at: number | null
    /** Failed tries so far. */
    tries: Generated<number>
    /** Who processes it at the moment, and until when nobody else may. */
    owner: Generated<string | null>
    held_until: Generated<number | null>
    /** As of `webhooks`. */
    waits_for_lane: Generated<number>
    processed_at: number | null
    /** In words, what became of it or of its last try. */
    outcome: string | null
    /** Its `PushState` where that is one to look at; null while it waits for its first try, and after it was processed. */
    trouble: PushTrouble | null
    /** A list in JSON: what it calls the payments that are not here. */
    names: string | null
  }
  clocks: {
    /** `agreed`, or `boot` and the id of a boot of a machine. */
    id: string
    server_at: number
    agreed_at: number
    up: number | null
    releases: number
  }
  push_lanes: {
    adapter: string
    shop_id: string
    /** When something in it may be claimed; null while it is empty. */
    next_due: number | null
    failures: number
    closed_at: Generated<number | null>
    probe_at: Generated<number | null>
    last_failure: Generated<string | null>
  }
  webhooks: {
    shop_id: string
    order_id: string
    lane: string
    /** As the payment has them: a claim looks at nothing else. */
    webhook_url: string
    version: number
    due_at: number | null
    owed_since: number
    tries: number
    /** Who calls at the moment, and until when nobody else may. */
    owner: string | null
    held_until: number | null
    /** Odd: it is due at once when its lane opens. Even and not 0: it was, after a failure that may be the lane's. */
    waits_for_lane: Generated<number>
  }
}
