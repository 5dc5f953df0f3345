import { bugsBy } from '../seed-bug.ts'
import type { MoneyAttempt } from './all.ts'

/** Bugs about money, by the attempt that must find them. */
export const moneyBugs = bugsBy<MoneyAttempt>({
  asking: `
    the background asks a service as often as it likes
      waitToAsk: ? 0 : askAgainAfter(perDay, world.random()) ==> ? 0 : 0
    the calls of a day come in its first hour
      most: most: Math.ceil((inHour * (now % hour)) / hour) ==> most: perDay
    nobody heeds Retry-After
      CalledAdapter.watch: if (status === 429) { ==> if (status === 428) {
    a read of the shop does not heed Retry-After
      askAtMost: if (pause > 0 || !canBeAsked(workings, attempt)) return Promise
        ==> if (!canBeAsked(workings, attempt)) return Promise
  `,
  choices: `
    two choices share one attempt
      isRepeat: attempt.methodId === open.methodId && ==>
    the service counts as the choice
      names: [method, id].filter ==> [id, method].filter
    a choice in the id is not read
      names: [method, id].filter ==> [method].filter
    the mode of the settings is not asked for
      attemptMode: return memberOf(workings, shop, adapter, 'mode') ?? usual
        ==> return adapter.mode === 'live' ? 'live' : usual
    test money counts as real money
      totalsOf: const { currency, mode = own.mode } = fact
        ==> const [currency, mode] = [fact.currency, own.mode]
    the language is the shop's and not the order's
      language: language: request.shop.language ?? '' ==> language: shop.language ?? ''
  `,
  pages: `
    the page of a replaced attempt still charges
      takesMoney: newestAttempt(payment)?.id === attempt.id && ==>
    Cancel does not ask whether the customer has paid
      cancel: await askForPage(workings, attempt) ==> { standing: 'open' }
    the page of a paid order still charges
      takesMoney: payment.status !== 'paid' && newestAttempt ==> newestAttempt
  `,
  pushes: `
    a push whose reference came meanwhile waits for it all the same
      dueAt: isKnown ? now : until ==> until
    the same push again after it was given up stays given up
      keep: due_at = excluded.due_at, ==>
    a push is answered before it is on disk
      takePush: await workings.store.keepPush( ==> void workings.store.keepPush(
    the answer leaves before the start is on disk
      noted: const noted = await store.noteStart(
        ==> void store.noteStart(attempt, start, times); if (openedAt > 0) return { ...attempt, started: start };
        const noted = await store.noteStart(
    a push waits in the clear
      sealContent: seal.close(content, pushRow(push)) ==> JSON.stringify(content)
    the data of an attempt stand in the clear
      sealData: contents.close(data, dataRow(id)) ==> JSON.stringify(data)
    what is sealed for one row opens in another
      ContentSeal.close: this.#opened(), row) ==> this.#opened(), '')
      ContentSeal.open: decrypted(parts, key, row) ==> decrypted(parts, key, '')
    an adapter does not get the data of its attempt back
      attemptView: const data = openData(contents, attempt) ==> const data = undefined
  `,
  strings: `
    cancelled after expired owes no webhook
      owesWebhook: to !== 'pending' ==> (from === 'pending' || to === 'paid')
    a dispute gives back more than it took
      chargebackWon: const chargebackWon = smaller(figure(counting), figure(chargebacks))
        ==> const chargebackWon = figure(wins)
    a dispute that is won under two ids gives back what another one took
      counting: const counting = ofDisputes.length > 0 ? ==> const counting = ofDisputes.length < 0 ?
    a dispute wins more than it took
      capped: decimal(win.amount).gt(took.get(win.event)!) ==> decimal(win.amount).lt(0)
  `,
  refunds: `
    a refund of unknown outcome is made again
      asked: ? unsettled.find(isMeant) ==> ? undefined
    a refund is asked for before its key is on disk
      openMoneyRequest: add({ ...request, requestKey: request.key }), ==>
    more is refunded than is left
      openMoneyRequest: || decimal(amount).gt(left) ==>
    a refund under way takes nothing of what is left
      moneyLeft: return asked.reduce( ==> return asked.slice(asked.length).reduce(
    a capture is limited by what was received
      left: own.authorised.minus(own.received) ==> own.authorised
    a refund that was made is made again with earlier settings
      ask: if (!isRefusal(move)) one.lastStatus = undefined ==>
  `,
  reports: `
    a negative amount is read
      readMoney: || decimal(read).lt(0) ==>
    an amount is rounded to the digits of its currency
      readMoney: if (!decimal(written).eq(read)) ==> if (decimal(written).lt(-1))
    any three letters are a currency
      readMoney: if (!isCurrency(currency)) ==> if (typeof currency !== 'string')
  `,
  parts: `
    a tolerance of nearly the whole amount pays an order with any part of it
      required: isTolerable(underpaidBy, amount) ? decimal(amount)
        ==> decimal(underpaidBy).gte(0) ? decimal(amount)
    an order is paid by more than its tolerance too little
      required: decimal(amount).minus(underpaidBy) :
        ==> decimal(amount).minus(underpaidBy).minus(underpaidBy) :
    a paid order that grew goes straight back as paid
      covers: received.gte(required(attempt, amount)) || ==> received.gte(0) ||
    an order of nothing is started at its payment service
      openAttempt: if (open.startsAtZero || !decimal(open.amount).eq(0)) ==> if (open.startsAtZero !== true)
    money that went back counts by when it was heard of, and not by when it did
      timeOf: ({ happenedAt, at }: Fact) => happenedAt ?? at ==> ({ at }: Fact) => at
    an older start that answers last stays payable
      noteStart: if (noted.isReplaced) void ==> if (noted.pushesDue) void
    a part that is sent back keeps the payment pending for good
      moneyLook: !isEnded(attempt) && isMoneyBack(payment, attempt) ? attempt.expiresAt
        ==> !isEnded(attempt) && isEnded(attempt) ? attempt.expiresAt
    a part that a person has settled keeps the payment pending for good
      afterClosing: if (isShort(kind)) yield*
        ==> if (kind === undefined) yield*
  `,
  sequences: `
    an event that comes again with another amount counts again
      conflict: const conflict: Fact = { ...fact, conflicts: true }
        ==> const conflict: Fact = { ...fact, event: \`\${fact.event} again\` }
    an event that changes opens no anomaly
      momentsOf: if (fact.conflicts) anomalies.push(conflictOf(attempt, fact)) ==>
    a word that nobody knows opens no anomaly
      momentsOf: if (fact.kind === 'unknown') { ==> if (fact.kind === 'unknown' && fact.at < 0) {
    money in another currency opens no anomaly
      levelsOfAttempt: ...others.map((of) => foreign(of, of.mode !== attempt.mode)), ==>
    parts on several attempts open no anomaly
      levelsOf: return [...levels, ...partsOf(payment, newest)] ==> return [...levels]
    a lost authorisation opens no anomaly
      standing: level('authorisation_lost', isEnded(attempt) && lacks() ? owed.minus(own.received) :
        zero),
        ==>
    money that went back before the order was paid opens no anomaly
      standing: returned(own).gt(0) ? missingWhenPaid ==> returned(own).lt(0) ? missingWhenPaid
    more that goes back than came opens no anomaly
      dueAnomalies: ...tooMuch(attempt, newest, now), ==>
    a payment that is pending for 30 days opens no anomaly
      dueAnomalies: ...pendingTooLong(payment, attempt, now), ==>
    money that is authorised pays an order of any adapter
      settledBy: authorisedIsPaid && authorised.gt(received) ? authorised : received
        ==> authorised.gt(received) ? authorised : received
    the time that comes with a report is not heeded
      expiresAt: expiresAt: Math.max(attempt.expiresAt, expiresAt) ==> expiresAt: attempt.expiresAt
  `,
})
