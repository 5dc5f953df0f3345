import { readBugs } from './seed-bug.ts'

/** Bugs that simulation must find. */
export const seededBugs = readBugs(`
  a 10 eur attempt settles a 100 eur order
    settles: [attempt, newest].every( ==> [attempt].every(
  money of a replaced attempt counts as nothing
    paidBy: settles(attempt, newest))?.id) ==> attempt === newest && settles(attempt, newest))?.id)
  money that comes late counts as nothing
    settles: return said && [attempt ==> return said && !isEnded(attempt) && [attempt
  a second payment opens no anomaly
    standing: return [level('double_paid', settled)] ==> return []
  a part opens no anomaly when its time is over
    dueAnomalies: ...underpaid(payment, attempt, newest, now), ==>
  a part pays the whole order
    settles: settled.gte(required(attempt, amount)) ==> settled.gt(0)
  a refund that comes first makes the order unpaid
    settledBy: { received, authorised }: Totals): Big => authorisedIsPaid && authorised.gt(received) ?
      authorised : received
      ==> { received, authorised, refunded }: Totals): Big => authorisedIsPaid && authorised.gt(received) ?
      authorised : received.minus(refunded)
  movements do not add up
    figure: sum = sum.plus(money) ==> sum = money.gt(sum) ? money : sum
  a total is added to the movements
    figure: return sum.gt(largest) ? sum : largest ==> return sum.plus(largest)
  totals add up like movements
    figure: else if (money.gt(largest)) largest = money ==> else largest = largest.plus(money)
  of several totals the last one stands
    figure: else if (money.gt(largest)) largest = money ==> else largest = money
  a refund that fails takes nothing back
    refunded: refundedOf(of('refunded'), of('refund_failed')) ==> figure(of('refunded'))
  two movements of one amount are one
    factKey: if (event !== undefined) return ==> if (event === '') return
  a paid order learns nothing more
    learn: if (!attempt) break ==> if (!attempt || payment.status === 'paid') break
  a chargeback opens no anomaly
    levelsOfAttempt: ...[own, ...others].map((of) => level('charged_back', of.chargedBack, of)), ==>
  a second chargeback opens no anomaly
    opening: { shopId, orderId, ...anomaly, id: anomalyId
      ==> { shopId, orderId, ...anomaly, event: '', id: anomalyId
  more money than is owed opens no anomaly
    standing: level('overpaid', atLeastZero(own.received.minus(owed))), ==>
  money that comes late opens no anomaly
    momentsOf: if (hadEnded) anomalies.push(open('late_paid', settled)) ==>
  a payment expires while its service works on it
    isTimeOver: now >= expiresAt && lastWord?.is !== 'working' ==> now >= expiresAt
  the other attempts of a paid order are never asked about
    isOver: totalsOf(attempt)[0].received.gte(required(attempt, attempt.amount))
      ==> totalsOf(attempt)[0].received.gte(0)
  the books have a line for every repetition
    movementsOf: known.push(fact) ==> known.splice(0, known.length, fact)
  of several reports the first one alone is read
    readReports: (Array.isArray(reports) ? reports : [reports]).flatMap(readReport)
      ==> (Array.isArray(reports) ? reports.slice(0, 1) : [reports]).flatMap(readReport)
  the chargebacks of a snapshot are not read
    readSnapshot: if (amount === undefined) continue
      ==> if (amount === undefined || name === 'chargedBack') continue
  a push before its reference is settled for good
    mayMatch: outcome === 'unmatched' && references.length > 0
      ==> outcome === 'unmatched' && references.length > 100
  a start that stores its reference wakes no push that waits for it
    due: = pushesDue ? ==> = !pushesDue ?
  a refund that is asked for again has a new key
    ask: const { kind, amount, currency, key: idempotencyKey } = request
      ==> const { kind, amount, currency } = request; const idempotencyKey = world.token(16)
  a refund is done with before it is learned
    ask: await learnOf(workings, attempt, said, kind) const moved = movedBy(said, attempt, request) await
      store.settleMoneyRequest(request, 'done', moved === amount ? undefined : moved)
      ==> const moved = movedBy(said, attempt, request); await store.settleMoneyRequest(request, 'done', moved
      === amount ? undefined : moved); await learnOf(workings, attempt, said, kind)
  what a refund did is never learned
    ask: await learnOf(workings, attempt, said, kind) ==>
  a refund that the service refused counts as done
    ask: settleMoneyRequest(request, 'refused', said.refused.slice(0, 200))
      ==> settleMoneyRequest(request, 'done')
  of several facts the first alone is in the feed
    makeLearnedSteps: ...rows.map(addChange)] ==> ...rows.slice(0, 1).map(addChange)]
  two changes have one place in the feed
    placeChanges: last: last + placed.length }) ==> last: last + placed.length - 1 })
  the feed turns the order of commits round
    give: over (order by id) ==> over (order by id desc)
  a page of the feed skips a change
    changes: yield* all(behind, { after, limit }) ==> yield* all(behind, { after: after + 1, limit })
  a late paid owes no webhook
    owesWebhook: to !== 'pending' ==> from === 'pending'
  a changed amount is taken for a repeat
    isRepeat: !isEnded(attempt) && sameMoney(attempt, open) && ==> !isEnded(attempt) &&
  a paid order opens a new attempt
    openAttempt: if (newest && current.status === 'paid') {
      ==> if (newest && current.status === 'paid' && sameMoney(newest, open)) {
  a changed amount after paid opens no anomaly
    changedAmount: if (sameMoney(newest, open)) return [] ==> if (newest.id) return []
  a new key when a start is repeated
    startRequest: return Object.assign(attemptView(contents, attempt), {
      ==> return Object.assign(attemptView(contents, attempt), { idempotencyKey: String(Math.random()),
  a start of unknown outcome is repeated blindly
    resume: if (adapter.idempotency && age <= adapter.idempotency.ttl) { ==> if (age >= 0) {
  a push is answered and not kept
    takePush: await workings.store.keepPush( ==> if (now % 2 === 0) return await workings.store.keepPush(
  a push is believed without its signature
    expectGenuine: throw new Problem('PUSH_NOT_VERIFIED') ==>
  a push that only says whom to ask is believed
    report: const report = confirms ? undefined : pushed.report
      ==> const report = confirms || pushed.report ? pushed.report : undefined
  a push is done with before it is learned
    processPush: try { const learned = await learnPush(
      ==> try { await store.settlePush(push, { outcome: 'processed', detail: '' }, world.now()); const learned
      = await learnPush(
  open attempts are never asked for
    said: const said = started && (await askStatus(workings, started, 'check'))
      ==> const said = started && false ? await askStatus(workings, started, 'check') : undefined
  a status that cannot be asked is invented
    readStatus: (await store.payment(shopId, orderId))?.status ?? status ==> 'paid'
  a read that cannot ask answers what it read before the wait
    readStatus: (await store.payment(shopId, orderId))?.status ?? status ==> status
  a redirect counts as delivered
    failure: status >= 200 && status < 300 ? undefined ==> status >= 200 && status < 400 ? undefined
  any answer counts as delivered
    failure: status >= 200 && status < 300 ? undefined ==> status > 0 ? undefined
  one failure ends the calls
    wait: call.status === gone ==> call.status !== 200
  a call settles what changed while it was open
    settle: 'order_id', 'owner')} and version <= ==> 'order_id', 'owner')} and 0 <=
    owe: , \${anew} ==>
  reading the status clears what is owed
    dueOf: where \${dueNow} and \${ofKind}
      ==> where \${dueNow} and \${ofKind} and \${of.calls === 'pushes' ? ofKind : sql\`exists (select 1
      from payments where payments.shop_id = webhooks.shop_id and payments.order_id = webhooks.order_id and
      read_version < status_version)\`}
  a lane that was full is never looked at again
    nextLook: if (isFull) return leaseUntil ==> if (isFull) return undefined
  the lease of a process that died never ends
    leaseOf: [leaseUntil, owner, ...common ==> [leaseUntil * 2, owner, ...common
`)
