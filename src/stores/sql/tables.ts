import type { Generated } from 'kysely'
import type { AuditAction } from '../../audit.ts'
import type { PaymentStatus } from '../../contract/index.ts'
import type { AnomalyKind } from '../../payments/anomaly-kinds.ts'
import type { MoneyRequestKind } from '../../payments/money-request.ts'
import type { LastWord } from '../../payments/payment.ts'
import type { PaymentMode, ReportWord } from '../../payments/report.ts'
import type { CopyMark, PushTrouble, ServiceFailureKind } from '../../store.ts'

// One set of tables for every SQL engine. Times are milliseconds since 1970, amounts are decimal text, flags are 0 or 1.

interface LaneColumns {
  /** The earliest time of a claim; null while it is empty. */
  next_due: number | null
  failures: number
  /** When the first of these failures was. */
  failing_since: Generated<number | null>
  /** When it closed, and when it is probed next; both null while it is open. */
  closed_at: Generated<number | null>
  probe_at: Generated<number | null>
  last_failure: Generated<string | null>
  /** The last time that it was closed: from its first failure to its opening, why, and how many calls waited at the end. */
  outage_began_at: Generated<number | null>
  outage_ended_at: Generated<number | null>
  outage_failure: Generated<string | null>
  outage_waiting: Generated<number | null>
}

/** A webhook or a push. */
interface CallColumns {
  due_at: number | null
  /** Failed tries so far. */
  tries: Generated<number>
  /** The process that has claimed it, and the end of its lease. */
  owner: Generated<string | null>
  leased_until: Generated<number | null>
  /** Odd: due at once when its lane opens. Even and not 0: it was so, after a failure that may be the lane's. */
  waits_for_lane: Generated<number>
}

export interface Tables {
  shops: {
    id: string
    platform_id: string | null
    created_at: number
    disabled_at: number | null
    /** 1 once a person has confirmed the list of hosts. */
    hosts_confirmed: number
    sealed_settings: string | null
    settings_version: number
  }
  /** The records of removed shops: no other shop gets the id of one. */
  removed_shops: { id: string; name: string; removed_at: number }
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
    /** Written by nodes of the previous version alone. An owed webhook keeps the version delivered before it. Without one, all were delivered. */
    delivered_version: number
    read_version: number
    read_at: number | null
    redirect_url: string
    webhook_url: string
    /** The attempt whose money made it paid. */
    paid_by: string | null
    created_at: number
    changed_at: number
    /** As `delivered_version`, for nodes of the previous version alone: see `webhooks` and `reminders`. */
    accepted_at: Generated<number | null>
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
    /** 1: an authorisation counts as money. */
    authorised_is_paid: number
    underpaid_by: Generated<string | null>
    language: string
    idempotency_key: string
    page_hash: string
    /** The hash of the page's earlier address, which stays valid. */
    earlier_page_hash: string | null
    how: 'redirect' | 'page' | 'later' | null
    payment_url: string | null
    url_expires_at: number | null
    reference: string | null
    sealed_data: string | null
    opened_at: number
    expires_at: number
    /** The latest expiry that its payment service reported; a later answer of `start` does not shorten it. */
    reported_expires_at: Generated<number | null>
    /** The last report of its payment service about an attempt that goes on, and when it came. */
    last_word: Generated<LastWord['is'] | null>
    last_word_at: Generated<number | null>
    /** The time of the next check; null once there is nothing to wait for. */
    check_at: number | null
    /** When the check began that has the attempt until `check_at`. Null where none has, and of a node of the version before. */
    check_began_at: number | null
    /** When its payment service was asked last how it stands, and what it answered. */
    asked_at: Generated<number | null>
    asked_answer: Generated<string | null>
    /** The time until which its page is reserved for one form. */
    page_leased_until: number | null
    /** Where its customer is on the page, sealed. */
    page_state: Generated<string | null>
  }
  facts: {
    shop_id: string
    order_id: string
    attempt_id: string
    fact_key: string
    /** Counts the facts of an attempt as they were learned; null for those of before. */
    number: number | null
    kind: ReportWord
    event: string | null
    amount: string | null
    currency: string | null
    mode: PaymentMode | null
    source: string
    learned_at: number
    happened_at: number | null
    answer_by: Generated<number | null>
    detail: string | null
    /** 1: its event is on record with other money, so it counts as nothing. */
    conflicts: number | null
  }
  anomalies: {
    shop_id: string
    order_id: string
    attempt_id: string
    kind: AnomalyKind
    /** The event that it is about; empty where there can be one alone. */
    event: string
    id: string
    expected: string | null
    received: string | null
    stake: string | null
    currency: string | null
    answer_by: Generated<number | null>
    opened_at: number
    closed_at: number | null
    note: string | null
  }
  /** Images of brands. Those of files are not here. */
  images: {
    /** Empty for a brand of the provider. */
    shop_id: string
    /** The address it was fetched from. */
    source: string
    name: string
    type: string
    width: number
    height: number
    /** In base64. */
    content: string
    fetched_at: number
  }
  /** Data that platforms send beside the contract. */
  drifts: {
    shop_id: string
    message: string
    path: string
    kind: string
    became: string
    count: number
    first_at: number
    last_at: number
  }
  /** The feed of what changed about payments. `place` is set once a line is read. */
  changes: {
    id: Generated<number>
    place: Generated<number | null>
    shop_id: string
    order_id: string
    attempt_id: string
    at: number
    kind: 'opened' | ReportWord
    event: string | null
    amount: string | null
    currency: string | null
    status: PaymentStatus
  }
  /** `changes`: the last place that was given. `deliveries`: the time up to which those that no shop has read were looked for. */
  feeds: { name: string; last_place: number }
  lanes: LaneColumns & {
    lane: string
    /** 1 while more calls are due than may be open at a time. */
    is_full: number
  }
  /** One row for each status version: its first delivery, its last if there were more, and their number. */
  deliveries: {
    shop_id: string
    order_id: string
    version: number
    calls: Generated<number>
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
  /** Keys that the provider creates once for each store, sealed. */
  keys: { name: string; sealed: string; created_at: number }
  /** The running processes, and when each was last seen. `opens` are the ids of its secrets, separated by spaces. */
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
    url: string | null
    clock_off_ms: number | null
  }
  /** Always empty: a row is added and deleted to test whether writes work. */
  write_probes: { id: string; filler: string }
  /** Rate adapters that are slow or skipped, one row for each node that finds them so. */
  breakers: {
    node: string
    adapter: string
    /** Empty for all shops. */
    shop_id: string
    since: number
    /** 0 where the adapter is slow and not skipped. */
    next_try: number
    last_failure: string
    /** When its node last stored it. */
    seen_at: number
    /** 1: a person has released it, and its node will close it. */
    is_released: Generated<number>
    /** Null where it is skipped, and for a node of the version before. */
    last_call_at: number | null
  }
  /** Times in which a rate adapter was slow or skipped, by the node that saw it. */
  rate_outages: {
    node: string
    adapter: string
    /** Empty for all shops. */
    shop_id: string
    began_at: number
    ended_at: number
    failure: string
  }
  /** Failures of payment services, one row for each node that saw them, adapter and shop. */
  service_failures: {
    node: string
    kind: ServiceFailureKind
    adapter: string
    shop_id: string
    first_at: number
    last_at: number
    /** The first success after the last failure. */
    ok_at: number | null
    calls: number
    failure: string
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
  money_requests: {
    shop_id: string
    order_id: string
    request_key: string
    kind: MoneyRequestKind
    attempt_id: string
    amount: string
    currency: string
    asked_at: number
    /** Null while it is unknown. */
    outcome: 'done' | 'refused' | null
    detail: string | null
  }
  /** Background calls of an adapter's `status` in an hour. */
  asks: {
    adapter: string
    hour: number
    calls: number
  }
  /** References that a push names and no attempt has yet. */
  push_names: {
    shop_id: string
    name: string
    adapter: string
    push_key: string
  }
  pushes: CallColumns & {
    shop_id: string
    adapter: string
    push_key: string
    /** Its content. Null once it is processed, and where a node of an older version has stored it in the next three. */
    sealed: string | null
    body: string | null
    headers: string
    query: string
    received_at: number
    times: number
    processed_at: number | null
    /** In words, what became of it or of its last try. */
    outcome: string | null
    /** Its `PushState`; null while it waits for its first try, and after it was processed. */
    trouble: PushTrouble | 'ignored' | null
    /** A list in JSON: what it calls the payments that are not here. */
    names: string | null
  }
  /** The marks of `purveyor db copy`, one row for each role. */
  store_copies: {
    role: CopyMark['role']
    copy_id: string
    other: string
    state: CopyMark['state']
    began_at: number
    ended_at: number | null
    served_at: number | null
  }
  /** How far a copy into this store is. `last_key` is a list in JSON; null before the first batch. */
  copied_tables: { name: string; last_key: string | null; row_count: number; is_done: number }
  clocks: {
    /** `agreed`, or `boot` and the id of a boot of a machine. */
    id: string
    server_at: number
    agreed_at: number
    up: number | null
    releases: number
  }
  push_lanes: LaneColumns & { adapter: string; shop_id: string }
  webhooks: CallColumns & {
    shop_id: string
    order_id: string
    lane: string
    /** Copied from the payment, because a claim reads no other table. */
    webhook_url: string
    version: number
    /** The last status version that was delivered before. Null where a node of the previous version has written the row. */
    delivered_version: Generated<number | null>
    owed_since: number
  }
  /** Webhooks that a shop accepted without reading the status for 15 minutes. */
  reminders: {
    shop_id: string
    order_id: string
    version: number
    /** When the shop first accepted the webhook of this version. */
    accepted_at: number
    /** When that webhook is delivered again. */
    remind_at: number
  }
}
