/** One bug, put into a copy of the source. Simulation must find it. */
export interface SeededBug {
  name: string
  /** Below `src`. */
  file: string
  /** The text and its replacement. */
  edits: readonly (readonly [from: string, to: string])[]
  /** The simulation looks from this seed on, where the ones before are known to miss it. Default 1. */
  firstSeed?: number
}

export const seededBugs: readonly SeededBug[] = [
  {
    name: 'a 10 eur attempt settles a 100 eur order',
    file: 'payments/status.ts',
    edits: [['settles(fact, attempt) && newest && settles(fact, newest)', 'settles(fact, attempt)']],
  },
  {
    name: 'expired beats paid',
    file: 'payments/status.ts',
    edits: [
      [
        "  if (paid > 0) return { status: 'paid', anomalies }\n  if (live || !newest) return { status: 'pending', anomalies }\n",
        "  if (live || !newest) return { status: paid > 0 ? 'paid' : 'pending', anomalies }\n  if (paid > 0 && newest.facts.every(({ kind }) => kind !== 'expired')) return { status: 'paid', anomalies }\n",
      ],
    ],
  },
  {
    name: 'money that comes late counts as nothing',
    file: 'payments/status.ts',
    edits: [['if (counting.length > 0) {', 'if (counting.length > 0 && ended.length === 0) {']],
  },
  {
    name: 'a second payment opens no anomaly',
    file: 'payments/status.ts',
    edits: [["if (paid > 1) open('double_paid')", '']],
  },
  {
    name: 'another amount opens no anomaly',
    file: 'payments/status.ts',
    edits: [['if (!counting.includes(fact)) open(whyNot(fact, attempt))', '']],
  },
  {
    name: 'a late paid owes no webhook',
    file: 'payments/status.ts',
    edits: [["to !== 'pending'", "from === 'pending'"]],
  },
  {
    name: 'cancelled after expired owes no webhook',
    firstSeed: 470,
    file: 'payments/status.ts',
    edits: [["to !== 'pending'", "(from === 'pending' || to === 'paid')"]],
  },
  {
    name: 'a changed amount is taken for a repeat',
    file: 'payments/ledger.ts',
    edits: [['    isLive(attempt) &&\n    sameMoney(attempt, open) &&\n', '    isLive(attempt) &&\n']],
  },
  {
    name: 'a paid order opens a new attempt',
    file: 'payments/ledger.ts',
    edits: [
      [
        "if (newest && current.status === 'paid') {",
        "if (newest && current.status === 'paid' && sameMoney(newest, open)) {",
      ],
    ],
  },
  {
    name: 'a changed amount after paid opens no anomaly',
    file: 'payments/ledger.ts',
    edits: [
      [
        'const anomalies = sameMoney(newest, open)\n      ? []\n',
        'const anomalies = newest.id\n      ? []\n',
      ],
    ],
  },
  {
    name: 'a new key when a start is repeated',
    file: 'use-cases/payments/call-start.ts',
    edits: [
      [
        '  return Object.assign(attemptView(attempt), {\n',
        '  return Object.assign(attemptView(attempt), {\n    idempotencyKey: workings.world.token(16),\n',
      ],
    ],
  },
  {
    name: 'a start of unknown outcome is repeated blindly',
    file: 'use-cases/payments/start-payment.ts',
    edits: [['if (adapter.idempotency && age <= adapter.idempotency.ttl) {', 'if (age >= 0) {']],
  },
  {
    name: 'the answer leaves before the start is on disk',
    firstSeed: 880,
    file: 'use-cases/payments/note-start.ts',
    edits: [
      [
        '  return store.noteStart(',
        '  void store.noteStart(attempt.shopId, attempt.orderId, attempt.id, attemptStart(started), times)\n  return { ...attempt, started: attemptStart(started) }\n  return store.noteStart(',
      ],
    ],
  },
  {
    name: 'a push is answered and not kept',
    file: 'use-cases/payments/take-push.ts',
    edits: [
      ['  await workings.store.keepPush(', '  if (now % 2 === 0) return\n  await workings.store.keepPush('],
    ],
  },
  {
    name: 'a push is believed without its signature',
    file: 'use-cases/payments/take-push.ts',
    edits: [["if (genuine !== true) throw new Problem('PUSH_NOT_VERIFIED')", '']],
  },
  {
    name: 'a push that only says whom to ask is believed',
    file: 'use-cases/payments/learn-push.ts',
    edits: [
      [
        'const report = confirms ? undefined : pushed.report',
        'const report = confirms || pushed.report ? pushed.report : undefined',
      ],
    ],
  },
  {
    name: 'a push is done with before it is learned',
    file: 'use-cases/payments/process-pushes.ts',
    edits: [
      [
        '  try {\n    const learned = await learnPush(',
        "  try {\n    await store.settlePush(push, { outcome: 'processed', detail: '' }, world.now())\n    const learned = await learnPush(",
      ],
    ],
  },
  {
    name: 'open attempts are never asked for',
    file: 'use-cases/payments/check-attempts.ts',
    edits: [
      [
        '    const report = started && (await askStatus(workings, started))\n',
        '    const report = started && false ? await askStatus(workings, started) : undefined\n',
      ],
    ],
  },
  {
    name: 'a status that cannot be asked is invented',
    file: 'use-cases/payments/read-status.ts',
    edits: [
      ['return (await workings.store.payment(shopId, orderId))?.status ?? payment.status', "return 'paid'"],
    ],
  },
  {
    name: 'a read that cannot ask answers what it read before the wait',
    file: 'use-cases/payments/read-status.ts',
    edits: [['(await workings.store.payment(shopId, orderId))?.status ?? payment.status', 'payment.status']],
  },
  {
    name: 'a redirect counts as delivered',
    file: 'use-cases/webhooks/deliver-webhooks.ts',
    edits: [['status >= 200 && status < 300 ? undefined', 'status >= 200 && status < 400 ? undefined']],
  },
  {
    name: 'any answer counts as delivered',
    file: 'use-cases/webhooks/deliver-webhooks.ts',
    edits: [['status >= 200 && status < 300 ? undefined', 'status > 0 ? undefined']],
  },
  {
    name: 'one failure ends the calls',
    file: 'use-cases/webhooks/deliver-webhooks.ts',
    edits: [['call.status === gone\n', 'call.status !== 200\n']],
  },
  {
    name: 'a call settles what changed while it was open',
    file: 'stores/sql/webhooks.ts',
    edits: [
      ["        delivered_version: value('version'),\n", '        delivered_version: sql`status_version`,\n'],
      ["      .where('version', '<=', value('version')),\n", ',\n'],
      ["'owed_since'),\n          ...untried,\n", "'owed_since'),\n"],
    ],
  },
  {
    name: 'reading the status clears what is owed',
    file: 'stores/sql/lane-calls.ts',
    edits: [
      [
        '.where(kind)',
        ".where(kind).where(calls === 'pushes' ? kind : sql<boolean>`exists (select 1 from payments where payments.shop_id = webhooks.shop_id and payments.order_id = webhooks.order_id and read_version < status_version)`)",
      ],
    ],
  },
  {
    name: 'a lane that was full is never looked at again',
    file: 'stores/sql/lanes.ts',
    edits: [['if (isFull) return leaseUntil', 'if (isFull) return undefined']],
  },
  {
    name: 'the lease of a process that died never ends',
    file: 'stores/sql/lane-calls.ts',
    edits: [
      ['...this.#callIn(row), leaseUntil, owner', '...this.#callIn(row), leaseUntil: leaseUntil * 2, owner'],
    ],
  },
]
