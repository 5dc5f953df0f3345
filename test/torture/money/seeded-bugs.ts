import type { SeededBug } from '../seeded-bugs.ts'
import type { MoneyAttempt } from './all.ts'

/** A bug about money, and the attempt that must find it. */
export type MoneyBug = SeededBug & { by: MoneyAttempt }

export const moneyBugs: readonly MoneyBug[] = [
  {
    name: 'the background asks a service as often as it likes',
    by: 'asking',
    of: 'waitToAsk',
    edits: [['? 0 : askAgainAfter(perDay, world.random())', '? 0 : 0']],
  },
  {
    name: 'the calls of a day come in its first hour',
    by: 'asking',
    of: 'most',
    edits: [['most: Math.ceil((inHour * (now % hour)) / hour)', 'most: perDay']],
  },
  {
    name: 'nobody heeds Retry-After',
    by: 'asking',
    of: 'CalledAdapter.watch',
    edits: [['if (status === 429) {', 'if (status === 428) {']],
  },
  {
    name: 'a read of the shop does not heed Retry-After',
    by: 'asking',
    of: 'askAtMost',
    edits: [
      [
        'if (pause > 0 || !canBeAsked(workings, attempt)) return Promise',
        'if (!canBeAsked(workings, attempt)) return Promise',
      ],
    ],
  },
  {
    name: 'two choices share one attempt',
    by: 'choices',
    of: 'isRepeat',
    edits: [['    attempt.methodId === open.methodId &&\n', '']],
  },
  {
    name: 'the service counts as the choice',
    by: 'choices',
    of: 'names',
    edits: [['[method, id].filter', '[id, method].filter']],
  },
  {
    name: 'a choice in the id is not read',
    by: 'choices',
    of: 'names',
    edits: [['[method, id].filter', '[method].filter']],
  },
  {
    name: 'the mode of the settings is not asked for',
    by: 'choices',
    of: 'attemptMode',
    edits: [
      ["  if (typeof mode !== 'function') return mode ??", "  if (mode !== 'live') return undefined ??"],
    ],
  },
  {
    name: 'test money counts as real money',
    by: 'choices',
    of: 'totalsOf',
    edits: [
      [
        '    const { currency, mode = own.mode } = fact\n',
        '    const [currency, mode] = [fact.currency, own.mode]\n',
      ],
    ],
  },
  {
    name: "the language is the shop's and not the order's",
    by: 'choices',
    of: 'language',
    edits: [["language: request.shop.language ?? ''", "language: shop.language ?? ''"]],
  },
  {
    name: 'the page of a replaced attempt still charges',
    by: 'pages',
    of: 'takesMoney',
    edits: [['newestAttempt(payment)?.id === attempt.id && ', '']],
  },
  {
    name: 'Cancel does not ask whether the customer has paid',
    by: 'pages',
    of: 'cancel',
    edits: [['await askForPage(workings, attempt)', "{ standing: 'open' }"]],
  },
  {
    name: 'the page of a paid order still charges',
    by: 'pages',
    of: 'takesMoney',
    edits: [["payment.status !== 'paid' && newestAttempt", 'newestAttempt']],
  },
  {
    name: 'a push whose reference came meanwhile waits for it all the same',
    by: 'pushes',
    of: 'dueAt',
    edits: [['(yield* names.isKnown(call, references)) ? now : until', 'until']],
  },
  {
    name: 'the same push again after it was given up stays given up',
    by: 'pushes',
    of: 'keep',
    edits: [["...replaced('sealed', 'due_at')", "...replaced('sealed')"]],
  },
  {
    name: 'a push is answered before it is on disk',
    by: 'pushes',
    of: 'takePush',
    edits: [['await workings.store.keepPush(', 'void workings.store.keepPush(']],
  },
  {
    name: 'the answer leaves before the start is on disk',
    by: 'pushes',
    of: 'noted',
    edits: [
      [
        '  const noted = await workings.store.noteStart(',
        '  void workings.store.noteStart(attempt, start, times)\n  if (openedAt > 0) return { ...attempt, started: start }\n  const noted = await workings.store.noteStart(',
      ],
    ],
  },
  {
    name: 'cancelled after expired owes no webhook',
    by: 'strings',
    of: 'owesWebhook',
    edits: [["to !== 'pending'", "(from === 'pending' || to === 'paid')"]],
  },
  {
    name: 'a push waits in the clear',
    by: 'pushes',
    of: 'sealContent',
    edits: [['seal.close(JSON.stringify(content), rowOf(push))', 'JSON.stringify(content)']],
  },
  {
    name: 'the data of an attempt stand in the clear',
    by: 'pushes',
    of: 'sealData',
    edits: [['contents.close(JSON.stringify(data), rowOf(id))', 'JSON.stringify(data)']],
  },
  {
    name: 'what is sealed for one row opens in another',
    by: 'pushes',
    of: ['encrypting', 'ContentSeal.open'],
    edits: [
      ['this.#opened(), iv).setAAD(Buffer.from(row))', 'this.#opened(), iv)'],
      ['decrypting.setAAD(Buffer.from(row)).setAuthTag', 'decrypting.setAuthTag'],
    ],
  },
  {
    name: 'an adapter does not get the data of its attempt back',
    by: 'pushes',
    of: 'data',
    edits: [['data: openData(contents, attempt)', 'data: undefined']],
  },
  {
    name: 'a refund of unknown outcome is made again',
    by: 'refunds',
    of: 'asked',
    edits: [['? unsettled.find(isMeant)', '? undefined']],
  },
  {
    name: 'a refund is asked for before its key is on disk',
    by: 'refunds',
    of: 'openMoneyRequest',
    edits: [['        ask(add, { ...request, requestKey: request.key }),\n', '']],
  },
  {
    name: 'more is refunded than is left',
    by: 'refunds',
    of: 'openMoneyRequest',
    edits: [[' || decimal(amount).gt(left)', '']],
  },
  {
    name: 'a refund under way takes nothing of what is left',
    by: 'refunds',
    of: 'moneyLeft',
    edits: [['return asked.reduce(', 'return asked.slice(asked.length).reduce(']],
  },
  {
    name: 'a capture is limited by what was received',
    by: 'refunds',
    of: 'left',
    edits: [['own.authorised.minus(own.received)', 'own.authorised']],
  },
  {
    name: 'a refund that was made is made again with earlier settings',
    by: 'refunds',
    of: 'ask',
    edits: [['      if (!isRefusal(answer)) one.lastStatus = undefined\n', '']],
  },
  {
    name: 'a negative amount is read',
    by: 'reports',
    of: 'readMoney',
    edits: [[' || decimal(read).lt(0)', '']],
  },
  {
    name: 'an amount is rounded to the digits of its currency',
    by: 'reports',
    of: 'readMoney',
    edits: [['if (!decimal(written).eq(read))', 'if (decimal(written).lt(-1))']],
  },
  {
    name: 'any three letters are a currency',
    by: 'reports',
    of: 'readMoney',
    edits: [['if (!isCurrency(currency))', "if (typeof currency !== 'string')"]],
  },
  {
    name: 'a tolerance of nearly the whole amount pays an order with any part of it',
    by: 'parts',
    of: 'required',
    edits: [
      ['isHalf(underpaidBy, amount) ? decimal(amount)', 'decimal(underpaidBy).gte(0) ? decimal(amount)'],
    ],
  },
  {
    name: 'an order is paid by more than its tolerance too little',
    by: 'parts',
    of: 'required',
    edits: [
      ['decimal(amount).minus(underpaidBy) :', 'decimal(amount).minus(underpaidBy).minus(underpaidBy) :'],
    ],
  },
  {
    name: 'a paid order that grew goes straight back as paid',
    by: 'parts',
    of: 'covers',
    edits: [['received.gte(required(attempt, amount)) ||', 'received.gte(0) ||']],
  },
  {
    name: 'an order of nothing is started at its payment service',
    by: 'parts',
    of: 'openAttempt',
    edits: [['if (open.startsAtZero || !decimal(open.amount).eq(0))', 'if (open.startsAtZero !== true)']],
  },
  {
    name: 'money that went back counts by when it was heard of, and not by when it did',
    by: 'parts',
    of: 'timeOf',
    edits: [['({ happenedAt, at }: Fact) => happenedAt ?? at', '({ at }: Fact) => at']],
  },
  {
    name: 'an older start that answers last stays payable',
    by: 'parts',
    of: 'noteStart',
    edits: [['  if (noted.isReplaced) void', '  if (noted.pushesDue) void']],
  },
  {
    name: 'a part that is sent back keeps the payment pending for good',
    by: 'parts',
    of: 'moneyLook',
    edits: [
      [
        '!isEnded(attempt) && isMoneyBack(payment, attempt) ? attempt.expiresAt',
        '!isEnded(attempt) && isEnded(attempt) ? attempt.expiresAt',
      ],
    ],
  },
  {
    name: 'a part that a person has settled keeps the payment pending for good',
    by: 'parts',
    of: 'afterClosing',
    edits: [
      [
        'if (shortKinds.some((one) => one === kind)) yield*',
        'if (shortKinds.every((one) => one === kind)) yield*',
      ],
    ],
  },
  {
    name: 'a dispute gives back more than it took',
    by: 'strings',
    of: 'chargebackWon',
    edits: [
      [
        '  const chargebackWon = smaller(figure(counting), figure(chargebacks))',
        '  const chargebackWon = figure(wins)',
      ],
    ],
  },
  {
    name: 'a dispute that is won under two ids gives back what another one took',
    by: 'strings',
    of: 'counting',
    edits: [['const counting = ofDisputes.length > 0 ?', 'const counting = ofDisputes.length < 0 ?']],
  },
  {
    name: 'a dispute wins more than it took',
    by: 'strings',
    of: 'capped',
    edits: [['decimal(win.amount).gt(took.get(win.event)!)', 'decimal(win.amount).lt(0)']],
  },
  {
    name: 'an event that comes again with another amount counts again',
    by: 'sequences',
    of: 'conflict',
    edits: [
      [
        'const conflict: Fact = { ...fact, conflicts: true }',
        'const conflict: Fact = { ...fact, event: `$' + '{fact.event} again` }',
      ],
    ],
  },
  {
    name: 'an event that changes opens no anomaly',
    by: 'sequences',
    of: 'momentsOf',
    edits: [['  if (fact.conflicts) anomalies.push(conflictOf(attempt, fact))\n', '']],
  },
  {
    name: 'a word that nobody knows opens no anomaly',
    by: 'sequences',
    of: 'momentsOf',
    edits: [["  if (fact.kind === 'unknown') {", "  if (fact.kind === 'unknown' && fact.at < 0) {"]],
  },
  {
    name: 'money in another currency opens no anomaly',
    by: 'sequences',
    of: 'levelsOfAttempt',
    edits: [['    ...others.map((of) => foreign(of, of.mode !== attempt.mode)),\n', '']],
  },
  {
    name: 'parts on several attempts open no anomaly',
    by: 'sequences',
    of: 'levelsOf',
    edits: [['return [...levels, ...partsOf(payment, newest)]', 'return [...levels]']],
  },
  {
    name: 'a lost authorisation opens no anomaly',
    by: 'sequences',
    of: 'standing',
    edits: [
      [
        "      level('authorisation_lost', isEnded(attempt) && isShort() ? owed.minus(own.received) : zero),\n",
        '',
      ],
    ],
  },
  {
    name: 'money that went back before the order was paid opens no anomaly',
    by: 'sequences',
    of: 'standing',
    edits: [['returned(own).gt(0) ? missingWhenPaid', 'returned(own).lt(0) ? missingWhenPaid']],
  },
  {
    name: 'more that goes back than came opens no anomaly',
    by: 'sequences',
    of: 'dueAnomalies',
    edits: [['    ...tooMuch(attempt, newest, now),\n', '']],
  },
  {
    name: 'a payment that is pending for 30 days opens no anomaly',
    by: 'sequences',
    of: 'dueAnomalies',
    edits: [['    ...pendingTooLong(payment, attempt, now),\n', '']],
  },
  {
    name: 'money that is authorised pays an order of any adapter',
    by: 'sequences',
    of: 'settledBy',
    edits: [
      [
        '  authorisedIsPaid && authorised.gt(received) ? authorised : received',
        '  authorised.gt(received) ? authorised : received',
      ],
    ],
  },
  {
    name: 'the time that comes with a report is not heeded',
    by: 'sequences',
    of: 'expiresAt',
    edits: [['expiresAt: Math.max(attempt.expiresAt, expiresAt)', 'expiresAt: attempt.expiresAt']],
  },
]
