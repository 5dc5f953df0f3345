/** One bug, put into a copy of the source. Simulation must find it. */
export interface SeededBug {
  name: string
  /** Below `src`. */
  file: string
  /** The text and its replacement. */
  edits: readonly (readonly [from: string, to: string])[]
}

export const seededBugs: readonly SeededBug[] = [
  {
    name: 'a 10 eur attempt settles a 100 eur order',
    file: 'payments/status.ts',
    edits: [['[attempt, newest].every(', '[attempt].every(']],
  },
  {
    name: 'money of a replaced attempt counts as nothing',
    file: 'payments/status.ts',
    edits: [['settles(attempt, newest))?.id)', 'attempt === newest && settles(attempt, newest))?.id)']],
  },
  {
    name: 'money that comes late counts as nothing',
    file: 'payments/status.ts',
    edits: [['  return said && [attempt', '  return said && !isEnded(attempt) && [attempt']],
  },
  {
    name: 'a second payment opens no anomaly',
    file: 'payments/levels.ts',
    edits: [["return [level('double_paid', settled)]", 'return []']],
  },
  {
    name: 'a part opens no anomaly when its time is over',
    file: 'payments/waiting.ts',
    edits: [['    ...underpaid(payment, attempt, newest, now),\n', '']],
  },
  {
    name: 'a part pays the whole order',
    file: 'payments/status.ts',
    edits: [['settled.gte(required(attempt, amount))', 'settled.gt(0)']],
  },
  {
    name: 'a refund that comes first makes the order unpaid',
    file: 'payments/status.ts',
    edits: [
      [
        '{ received, authorised }: Totals): Big =>\n  authorisedIsPaid && authorised.gt(received) ? authorised : received',
        '{ received, authorised, refunded }: Totals): Big =>\n  authorisedIsPaid && authorised.gt(received) ? authorised : received.minus(refunded)',
      ],
    ],
  },
  {
    name: 'movements do not add up',
    file: 'payments/totals.ts',
    edits: [['sum = sum.plus(money)', 'sum = money.gt(sum) ? money : sum']],
  },
  {
    name: 'a total is added to the movements',
    file: 'payments/totals.ts',
    edits: [['return sum.gt(largest) ? sum : largest', 'return sum.plus(largest)']],
  },
  {
    name: 'totals add up like movements',
    file: 'payments/totals.ts',
    edits: [['else if (money.gt(largest)) largest = money', 'else largest = largest.plus(money)']],
  },
  {
    name: 'of several totals the last one stands',
    file: 'payments/totals.ts',
    edits: [['else if (money.gt(largest)) largest = money', 'else largest = money']],
  },
  {
    name: 'a refund that fails takes nothing back',
    file: 'payments/totals.ts',
    edits: [["refundedOf(of('refunded'), of('refund_failed'))", "figure(of('refunded'))"]],
  },
  {
    name: 'two movements of one amount are one',
    file: 'payments/facts.ts',
    edits: [['if (event !== undefined) return', "if (event === '') return"]],
  },
  {
    name: 'a paid order learns nothing more',
    file: 'payments/moves.ts',
    edits: [['    if (!attempt) break\n', "    if (!attempt || payment.status === 'paid') break\n"]],
  },
  {
    name: 'a chargeback opens no anomaly',
    file: 'payments/levels.ts',
    edits: [["    ...[own, ...others].map((of) => level('charged_back', of.chargedBack, of)),\n", '']],
  },
  {
    name: 'a second chargeback opens no anomaly',
    file: 'stores/sql/anomalies.ts',
    edits: [
      [
        '{ shopId, orderId, ...anomaly, id: anomalyId',
        "{ shopId, orderId, ...anomaly, event: '', id: anomalyId",
      ],
    ],
  },
  {
    name: 'more money than is owed opens no anomaly',
    file: 'payments/levels.ts',
    edits: [["      level('overpaid', atLeastZero(own.received.minus(owed))),\n", '']],
  },
  {
    name: 'money that comes late opens no anomaly',
    file: 'payments/moves.ts',
    edits: [["if (hadEnded) anomalies.push(open('late_paid', settled))", '']],
  },
  {
    name: 'a payment expires while its service works on it',
    file: 'payments/waiting.ts',
    edits: [["  now >= expiresAt && lastWord?.is !== 'working'\n", '  now >= expiresAt\n']],
  },
  {
    name: 'the other attempts of a paid order are never asked about',
    file: 'payments/waiting.ts',
    edits: [
      [
        'totalsOf(attempt)[0].received.gte(required(attempt, attempt.amount))',
        'totalsOf(attempt)[0].received.gte(0)',
      ],
    ],
  },
  {
    name: 'the books have a line for every repetition',
    file: 'payments/movements.ts',
    edits: [['    known.push(fact)\n', '    known.splice(0, known.length, fact)\n']],
  },
  {
    name: 'of several reports the first one alone is read',
    file: 'payments/read-report.ts',
    edits: [
      [
        '(Array.isArray(reports) ? reports : [reports]).flatMap(readReport)',
        '(Array.isArray(reports) ? reports.slice(0, 1) : [reports]).flatMap(readReport)',
      ],
    ],
  },
  {
    name: 'the chargebacks of a snapshot are not read',
    file: 'payments/read-report.ts',
    edits: [
      ['if (amount === undefined) continue', "if (amount === undefined || name === 'chargedBack') continue"],
    ],
  },
  {
    name: 'a push before its reference is settled for good',
    file: 'use-cases/payments/process-pushes.ts',
    edits: [
      [
        "outcome === 'unmatched' && references.length > 0",
        "outcome === 'unmatched' && references.length > 100",
      ],
    ],
  },
  {
    name: 'a start that stores its reference wakes no push that waits for it',
    file: 'stores/sql/push-names.ts',
    edits: [['if (pushes.length === 0) return', 'if (pushes.length >= 0) return']],
  },
  {
    name: 'a refund that is asked for again has a new key',
    file: 'use-cases/payments/move-money.ts',
    edits: [
      [
        '  const { kind, amount, currency, key: idempotencyKey } = request\n',
        '  const { kind, amount, currency } = request\n  const idempotencyKey = world.token(16)\n',
      ],
    ],
  },
  {
    name: 'a refund is done with before it is learned',
    file: 'use-cases/payments/move-money.ts',
    edits: [
      [
        "    await learnOf(workings, attempt, said, kind)\n    const moved = movedBy(said, attempt, request)\n    await store.settleMoneyRequest(request, 'done', moved === amount ? undefined : moved)\n",
        "    const moved = movedBy(said, attempt, request)\n    await store.settleMoneyRequest(request, 'done', moved === amount ? undefined : moved)\n    await learnOf(workings, attempt, said, kind)\n",
      ],
    ],
  },
  {
    name: 'what a refund did is never learned',
    file: 'use-cases/payments/move-money.ts',
    edits: [['    await learnOf(workings, attempt, said, kind)\n', '']],
  },
  {
    name: 'a refund that the service refused counts as done',
    file: 'use-cases/payments/move-money.ts',
    edits: [
      [
        "settleMoneyRequest(request, 'refused', said.refused.slice(0, 200))",
        "settleMoneyRequest(request, 'done')",
      ],
    ],
  },
  {
    name: 'of several facts the first alone is in the feed',
    file: 'stores/sql/changes.ts',
    edits: [['      added.map(({ kind', '      added.slice(0, 1).map(({ kind']],
  },
  {
    name: 'two changes have one place in the feed',
    file: 'stores/sql/changes.ts',
    edits: [['last: last + placed.length })', 'last: last + placed.length - 1 })']],
  },
  {
    name: 'the feed turns the order of commits round',
    file: 'stores/sql/changes.ts',
    edits: [['over (order by id)', 'over (order by id desc)']],
  },
  {
    name: 'a page of the feed skips a change',
    file: 'stores/sql/changes.ts',
    edits: [['yield* all(behind, { after, limit })', 'yield* all(behind, { after: after + 1, limit })']],
  },
  {
    name: 'a late paid owes no webhook',
    file: 'payments/status.ts',
    edits: [["to !== 'pending'", "from === 'pending'"]],
  },
  {
    name: 'a changed amount is taken for a repeat',
    file: 'payments/open.ts',
    edits: [['    !isEnded(attempt) &&\n    sameMoney(attempt, open) &&\n', '    !isEnded(attempt) &&\n']],
  },
  {
    name: 'a paid order opens a new attempt',
    file: 'payments/open.ts',
    edits: [
      [
        "if (newest && current.status === 'paid') {",
        "if (newest && current.status === 'paid' && sameMoney(newest, open)) {",
      ],
    ],
  },
  {
    name: 'a changed amount after paid opens no anomaly',
    file: 'payments/open.ts',
    edits: [['if (sameMoney(newest, open)) return []', 'if (newest.id) return []']],
  },
  {
    name: 'a new key when a start is repeated',
    file: 'use-cases/payments/call-start.ts',
    edits: [
      [
        '  return Object.assign(attemptView(workings.contents, attempt), {\n',
        '  return Object.assign(attemptView(workings.contents, attempt), {\n    idempotencyKey: workings.world.token(16),\n',
      ],
    ],
  },
  {
    name: 'a start of unknown outcome is repeated blindly',
    file: 'use-cases/payments/start-payment.ts',
    edits: [['if (adapter.idempotency && age <= adapter.idempotency.ttl) {', 'if (age >= 0) {']],
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
    edits: [["throw new Problem('PUSH_NOT_VERIFIED')", '']],
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
        "    const said = started && (await askStatus(workings, started, 'check'))\n",
        "    const said = started && false ? await askStatus(workings, started, 'check') : undefined\n",
      ],
    ],
  },
  {
    name: 'a status that cannot be asked is invented',
    file: 'use-cases/payments/read-status.ts',
    edits: [
      [
        '  return (await workings.store.payment(payment.shopId, payment.orderId))?.status ?? payment.status',
        "  return 'paid'",
      ],
    ],
  },
  {
    name: 'a read that cannot ask answers what it read before the wait',
    file: 'use-cases/payments/read-status.ts',
    edits: [
      [
        '(await workings.store.payment(payment.shopId, payment.orderId))?.status ?? payment.status',
        'payment.status',
      ],
    ],
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
      ["      .where('version', '<=', value('version')),\n", ',\n'],
      ["'owed_since'),\n          ...untried,\n", "'owed_since'),\n"],
    ],
  },
  {
    name: 'reading the status clears what is owed',
    file: 'stores/sql/lane-queries.ts',
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
    edits: [['return [leaseUntil, owner, ...common', 'return [leaseUntil * 2, owner, ...common']],
  },
]
