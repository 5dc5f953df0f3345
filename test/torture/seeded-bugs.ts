/** One bug, put into a copy of the source. Simulation must find it. */
export interface SeededBug {
  name: string
  /** The function, method (`Class.method`) or constant that has it, wherever in `src` it stands; several for edits in several. */
  of: string | readonly string[]
  /** The text in it, laid out in any way, and its replacement. */
  edits: readonly (readonly [from: string, to: string])[]
}

export const seededBugs: readonly SeededBug[] = [
  {
    name: 'a 10 eur attempt settles a 100 eur order',
    of: 'settles',
    edits: [['[attempt, newest].every(', '[attempt].every(']],
  },
  {
    name: 'money of a replaced attempt counts as nothing',
    of: 'paidBy',
    edits: [['settles(attempt, newest))?.id)', 'attempt === newest && settles(attempt, newest))?.id)']],
  },
  {
    name: 'money that comes late counts as nothing',
    of: 'settles',
    edits: [['  return said && [attempt', '  return said && !isEnded(attempt) && [attempt']],
  },
  {
    name: 'a second payment opens no anomaly',
    of: 'standing',
    edits: [["return [level('double_paid', settled)]", 'return []']],
  },
  {
    name: 'a part opens no anomaly when its time is over',
    of: 'dueAnomalies',
    edits: [['    ...underpaid(payment, attempt, newest, now),\n', '']],
  },
  {
    name: 'a part pays the whole order',
    of: 'settles',
    edits: [['settled.gte(required(attempt, amount))', 'settled.gt(0)']],
  },
  {
    name: 'a refund that comes first makes the order unpaid',
    of: 'settledBy',
    edits: [
      [
        '{ received, authorised }: Totals): Big =>\n  authorisedIsPaid && authorised.gt(received) ? authorised : received',
        '{ received, authorised, refunded }: Totals): Big =>\n  authorisedIsPaid && authorised.gt(received) ? authorised : received.minus(refunded)',
      ],
    ],
  },
  {
    name: 'movements do not add up',
    of: 'figure',
    edits: [['sum = sum.plus(money)', 'sum = money.gt(sum) ? money : sum']],
  },
  {
    name: 'a total is added to the movements',
    of: 'figure',
    edits: [['return sum.gt(largest) ? sum : largest', 'return sum.plus(largest)']],
  },
  {
    name: 'totals add up like movements',
    of: 'figure',
    edits: [['else if (money.gt(largest)) largest = money', 'else largest = largest.plus(money)']],
  },
  {
    name: 'of several totals the last one stands',
    of: 'figure',
    edits: [['else if (money.gt(largest)) largest = money', 'else largest = money']],
  },
  {
    name: 'a refund that fails takes nothing back',
    of: 'refunded',
    edits: [["refundedOf(of('refunded'), of('refund_failed'))", "figure(of('refunded'))"]],
  },
  {
    name: 'two movements of one amount are one',
    of: 'factKey',
    edits: [['if (event !== undefined) return', "if (event === '') return"]],
  },
  {
    name: 'a paid order learns nothing more',
    of: 'learn',
    edits: [['    if (!attempt) break\n', "    if (!attempt || payment.status === 'paid') break\n"]],
  },
  {
    name: 'a chargeback opens no anomaly',
    of: 'levelsOfAttempt',
    edits: [["    ...[own, ...others].map((of) => level('charged_back', of.chargedBack, of)),\n", '']],
  },
  {
    name: 'a second chargeback opens no anomaly',
    of: 'opening',
    edits: [
      [
        '{ shopId, orderId, ...anomaly, id: anomalyId',
        "{ shopId, orderId, ...anomaly, event: '', id: anomalyId",
      ],
    ],
  },
  {
    name: 'more money than is owed opens no anomaly',
    of: 'standing',
    edits: [["      level('overpaid', atLeastZero(own.received.minus(owed))),\n", '']],
  },
  {
    name: 'money that comes late opens no anomaly',
    of: 'momentsOf',
    edits: [["if (hadEnded) anomalies.push(open('late_paid', settled))", '']],
  },
  {
    name: 'a payment expires while its service works on it',
    of: 'isTimeOver',
    edits: [["  now >= expiresAt && lastWord?.is !== 'working'\n", '  now >= expiresAt\n']],
  },
  {
    name: 'the other attempts of a paid order are never asked about',
    of: 'isOver',
    edits: [
      [
        'totalsOf(attempt)[0].received.gte(required(attempt, attempt.amount))',
        'totalsOf(attempt)[0].received.gte(0)',
      ],
    ],
  },
  {
    name: 'the books have a line for every repetition',
    of: 'movementsOf',
    edits: [['    known.push(fact)\n', '    known.splice(0, known.length, fact)\n']],
  },
  {
    name: 'of several reports the first one alone is read',
    of: 'readReports',
    edits: [
      [
        '(Array.isArray(reports) ? reports : [reports]).flatMap(readReport)',
        '(Array.isArray(reports) ? reports.slice(0, 1) : [reports]).flatMap(readReport)',
      ],
    ],
  },
  {
    name: 'the chargebacks of a snapshot are not read',
    of: 'readSnapshot',
    edits: [
      ['if (amount === undefined) continue', "if (amount === undefined || name === 'chargedBack') continue"],
    ],
  },
  {
    name: 'a push before its reference is settled for good',
    of: 'mayMatch',
    edits: [
      [
        "outcome === 'unmatched' && references.length > 0",
        "outcome === 'unmatched' && references.length > 100",
      ],
    ],
  },
  {
    name: 'a start that stores its reference wakes no push that waits for it',
    of: 'makingDue',
    edits: [['if (pushes.length === 0) return', 'if (pushes.length >= 0) return']],
  },
  {
    name: 'a refund that is asked for again has a new key',
    of: 'ask',
    edits: [
      [
        '  const { kind, amount, currency, key: idempotencyKey } = request\n',
        '  const { kind, amount, currency } = request\n  const idempotencyKey = world.token(16)\n',
      ],
    ],
  },
  {
    name: 'a refund is done with before it is learned',
    of: 'ask',
    edits: [
      [
        "    await learnOf(workings, attempt, said, kind)\n    const moved = movedBy(said, attempt, request)\n    await store.settleMoneyRequest(request, 'done', moved === amount ? undefined : moved)\n",
        "    const moved = movedBy(said, attempt, request)\n    await store.settleMoneyRequest(request, 'done', moved === amount ? undefined : moved)\n    await learnOf(workings, attempt, said, kind)\n",
      ],
    ],
  },
  {
    name: 'what a refund did is never learned',
    of: 'ask',
    edits: [['    await learnOf(workings, attempt, said, kind)\n', '']],
  },
  {
    name: 'a refund that the service refused counts as done',
    of: 'ask',
    edits: [
      [
        "settleMoneyRequest(request, 'refused', said.refused.slice(0, 200))",
        "settleMoneyRequest(request, 'done')",
      ],
    ],
  },
  {
    name: 'of several facts the first alone is in the feed',
    of: 'learned',
    edits: [['      added.map(({ kind', '      added.slice(0, 1).map(({ kind']],
  },
  {
    name: 'two changes have one place in the feed',
    of: 'placeChanges',
    edits: [['last: last + placed.length })', 'last: last + placed.length - 1 })']],
  },
  {
    name: 'the feed turns the order of commits round',
    of: 'give',
    edits: [['over (order by id)', 'over (order by id desc)']],
  },
  {
    name: 'a page of the feed skips a change',
    of: 'changes',
    edits: [['yield* all(behind, { after, limit })', 'yield* all(behind, { after: after + 1, limit })']],
  },
  {
    name: 'a late paid owes no webhook',
    of: 'owesWebhook',
    edits: [["to !== 'pending'", "from === 'pending'"]],
  },
  {
    name: 'a changed amount is taken for a repeat',
    of: 'isRepeat',
    edits: [['    !isEnded(attempt) &&\n    sameMoney(attempt, open) &&\n', '    !isEnded(attempt) &&\n']],
  },
  {
    name: 'a paid order opens a new attempt',
    of: 'openAttempt',
    edits: [
      [
        "if (newest && current.status === 'paid') {",
        "if (newest && current.status === 'paid' && sameMoney(newest, open)) {",
      ],
    ],
  },
  {
    name: 'a changed amount after paid opens no anomaly',
    of: 'changedAmount',
    edits: [['if (sameMoney(newest, open)) return []', 'if (newest.id) return []']],
  },
  {
    name: 'a new key when a start is repeated',
    of: 'startRequest',
    edits: [
      [
        '  return Object.assign(attemptView(workings.contents, attempt), {\n',
        '  return Object.assign(attemptView(workings.contents, attempt), {\n    idempotencyKey: workings.world.token(16),\n',
      ],
    ],
  },
  {
    name: 'a start of unknown outcome is repeated blindly',
    of: 'resume',
    edits: [['if (adapter.idempotency && age <= adapter.idempotency.ttl) {', 'if (age >= 0) {']],
  },
  {
    name: 'a push is answered and not kept',
    of: 'takePush',
    edits: [
      ['  await workings.store.keepPush(', '  if (now % 2 === 0) return\n  await workings.store.keepPush('],
    ],
  },
  {
    name: 'a push is believed without its signature',
    of: 'expectGenuine',
    edits: [["throw new Problem('PUSH_NOT_VERIFIED')", '']],
  },
  {
    name: 'a push that only says whom to ask is believed',
    of: 'report',
    edits: [
      [
        'const report = confirms ? undefined : pushed.report',
        'const report = confirms || pushed.report ? pushed.report : undefined',
      ],
    ],
  },
  {
    name: 'a push is done with before it is learned',
    of: 'processPush',
    edits: [
      [
        '  try {\n    const learned = await learnPush(',
        "  try {\n    await store.settlePush(push, { outcome: 'processed', detail: '' }, world.now())\n    const learned = await learnPush(",
      ],
    ],
  },
  {
    name: 'open attempts are never asked for',
    of: 'said',
    edits: [
      [
        "    const said = started && (await askStatus(workings, started, 'check'))\n",
        "    const said = started && false ? await askStatus(workings, started, 'check') : undefined\n",
      ],
    ],
  },
  {
    name: 'a status that cannot be asked is invented',
    of: 'refresh',
    edits: [
      [
        '  return (await workings.store.payment(payment.shopId, payment.orderId))?.status ?? payment.status',
        "  return 'paid'",
      ],
    ],
  },
  {
    name: 'a read that cannot ask answers what it read before the wait',
    of: 'refresh',
    edits: [
      [
        '(await workings.store.payment(payment.shopId, payment.orderId))?.status ?? payment.status',
        'payment.status',
      ],
    ],
  },
  {
    name: 'a redirect counts as delivered',
    of: 'failure',
    edits: [['status >= 200 && status < 300 ? undefined', 'status >= 200 && status < 400 ? undefined']],
  },
  {
    name: 'any answer counts as delivered',
    of: 'failure',
    edits: [['status >= 200 && status < 300 ? undefined', 'status > 0 ? undefined']],
  },
  {
    name: 'one failure ends the calls',
    of: 'wait',
    edits: [['call.status === gone\n', 'call.status !== 200\n']],
  },
  {
    name: 'a call settles what changed while it was open',
    of: ['settle', 'owe'],
    edits: [
      ['and version <= ', 'and 0 <= '],
      [', tries = 0, waits_for_lane = 0, owner = null, leased_until = null', ''],
    ],
  },
  {
    name: 'reading the status clears what is owed',
    of: 'dueOf',
    edits: [
      [
        '.where(kind)',
        ".where(kind).where(calls === 'pushes' ? kind : sql<boolean>`exists (select 1 from payments where payments.shop_id = webhooks.shop_id and payments.order_id = webhooks.order_id and read_version < status_version)`)",
      ],
    ],
  },
  {
    name: 'a lane that was full is never looked at again',
    of: 'nextLook',
    edits: [['if (isFull) return leaseUntil', 'if (isFull) return undefined']],
  },
  {
    name: 'the lease of a process that died never ends',
    of: 'LaneCalls.#leased',
    edits: [['return [leaseUntil, owner, ...common', 'return [leaseUntil * 2, owner, ...common']],
  },
]
