import { bugsBy } from './seed-bug.ts'

/** Bugs by the test file that must fail with them: its path in `test`, without what all of them end with. */
export const testedBugs = bugsBy<string>({
  'console/roles': `
    a role may do what needs a higher one
      expectRole: if (!who || allows(who.role, actions[action])) return ==> if (who !== null) return
    somebody without the role for money closes an anomaly with money
      close: if (found.stake !== undefined) expectRole(view.who, 'refund') ==>
    an answer of a shop is shown to everybody
      deliveriesTable: view.isAdmin && call.answer ==> call.answer
  `,
  'console/session': `
    a form of another site is taken
      foreignSite: return site === 'same-origin' ? undefined : ==> return site !== '' ? undefined :
    a form without the token of its session is taken
      foreignForm: if (!sameAs(formToken(req))(given ?? '')) ==> if (given === 'never')
    a session never ends
      Sessions.of: world.now() > who.at + lasts ==> world.now() < 0
    somebody who was signed out everywhere goes on
      Sessions.of: return (await store.signedOutAt(who.name)) >= who.at ? undefined : who ==> return who
    a link opens twice
      spend: delete from console_links where token_hash = ${'$'}{value('tokenHash')} returning *
        ==> select * from console_links where token_hash = ${'$'}{value('tokenHash')}
    a sign-in leads to another site
      pathWithin: /^\\/(?![/\\\\])[\\w./?=&%+@:,~-]*$/.test(to) ==> to.length > 0
  `,
  'console/sign-in': `
    a token of another nonce signs somebody in
      returned: expectedNonce: nonce, ==>
    somebody without a group that has a role signs in
      personOf: if (role) return { name, role } ==> if (name) return { name, role: role ?? 'reader' }
  `,
  'http/pages/routes.follows': `
    Cancel does not ask whether the customer has paid
      cancel: await askForPage(workings, attempt) ==> { standing: 'open' }
  `,
  'network/limited-answer': `
    decoded bytes are not counted
      pull: left -= value.byteLength ==>
    codings one in the other are decoded
      limitAnswer: if (codings.length > 1) { ==> if (codings.length > 5) {
  `,
  'payments/called-adapter.earlier-settings': `
    a refund that was made is made again with earlier settings
      ask: if (!isRefusal(move)) one.lastStatus = undefined ==>
  `,
  'payments/check-attempts': `
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
  'payments/check-attempts.part': `
    a tolerance of nearly the whole amount pays an order with any part of it
      required: isTolerable(underpaidBy, amount) ? decimal(amount)
        ==> decimal(underpaidBy).gte(0) ? decimal(amount)
    an order is paid by more than its tolerance too little
      required: decimal(amount).minus(underpaidBy) :
        ==> decimal(amount).minus(underpaidBy).minus(underpaidBy) :
    a part that is sent back keeps the payment pending for good
      moneyLook: !isEnded(attempt) && isMoneyBack(payment, attempt) ? attempt.expiresAt
        ==> !isEnded(attempt) && isEnded(attempt) ? attempt.expiresAt
    a part that a person has settled keeps the payment pending for good
      afterClosing: if (isShort(kind)) yield*
        ==> if (kind === undefined) yield*
  `,
  'payments/check-start.choice': `
    the service counts as the choice
      names: [method, id].filter ==> [id, method].filter
    a choice in the id is not read
      names: [method, id].filter ==> [method].filter
  `,
  'payments/ledger/anomalies': `
    money that went back counts by when it was heard of, and not by when it did
      timeOf: ({ happenedAt, at }: Fact) => happenedAt ?? at ==> ({ at }: Fact) => at
  `,
  'payments/ledger/movements.ledger': `
    a dispute gives back more than it took
      chargebackWon: const chargebackWon = smaller(figure(counting), figure(chargebacks))
        ==> const chargebackWon = figure(wins)
    a dispute that is won under two ids gives back what another one took
      counting: const counting = ofDisputes.length > 0 ? ==> const counting = ofDisputes.length < 0 ?
    a dispute wins more than it took
      capped: decimal(win.amount).gt(took.get(win.event)!) ==> decimal(win.amount).lt(0)
  `,
  'payments/ledger/report.read-report': `
    a negative amount is read
      readMoney: || decimal(read).lt(0) ==>
    an amount is rounded to the digits of its currency
      readMoney: if (!decimal(written).eq(read)) ==> if (decimal(written).lt(-1))
    any three letters are a currency
      readMoney: if (!isCurrency(currency)) ==> if (typeof currency !== 'string')
  `,
  'payments/ledger/status': `
    two choices share one attempt
      isRepeat: attempt.methodId === open.methodId && ==>
    test money counts as real money
      totalsOf: const { currency, mode = own.mode } = fact
        ==> const [currency, mode] = [fact.currency, own.mode]
    the language is the shop's and not the order's
      language: language: request.shop.language ?? '' ==> language: shop.language ?? ''
    the data of an attempt stand in the clear
      sealData: contents.close(data, dataRow(id)) ==> JSON.stringify(data)
    an adapter does not get the data of its attempt back
      attemptView: sealedData === undefined ? undefined : ==> sealedData !== '' ? undefined :
    cancelled after expired owes no webhook
      owesWebhook: to !== 'pending' ==> (from === 'pending' || to === 'paid')
  `,
  'payments/move-money': `
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
  `,
  'payments/pages/page-state.page-standing': `
    the page of a replaced attempt still charges
      takesMoney: newestAttempt(payment)?.id === attempt.id && ==>
    the page of a paid order still charges
      takesMoney: payment.status !== 'paid' && newestAttempt ==> newestAttempt
  `,
  'payments/payment-memory.starts': `
    a paid order that grew goes straight back as paid
      covers: received.gte(required(attempt, amount)) || ==> received.gte(0) ||
    an order of nothing is started at its payment service
      openAttempt: if (open.startsAtZero || !decimal(open.amount).eq(0)) ==> if (open.startsAtZero !== true)
    an older start that answers last stays payable
      noteStart: if (noted.isReplaced) void ==> if (noted.pushesDue) void
  `,
  'payments/payments.repeats': `
    the mode of the settings is not asked for
      attemptMode: return memberOf(workings, shop, adapter, 'mode') ?? usual
        ==> return adapter.mode === 'live' ? 'live' : usual
  `,
  'payments/pushes/process-pushes': `
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
    what is sealed for one row opens in another
      ContentSeal.close: this.#opened(), row) ==> this.#opened(), '')
      ContentSeal.open: decrypted(parts, key, row) ==> decrypted(parts, key, '')
  `,
  'payments/sequences/sequences': `
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
  'rates/files/watched-file': `
    half of a tariff is in use
      WatchedFile.look: found === this.#faulty || found !== before) return false
        ==> found === this.#faulty) return false
    a changed tariff is in use at the next start only
      WatchedFiles.look: if (!this.#watch) return ==> if (this.#watch) return
  `,
  'rates/parcels/packing': `
    an indivisible piece is divided
      room: Math.floor(((most - used) / each) * tolerance) ==> ((most - used) / each) * tolerance
  `,
  'rates/parcels/parcels': `
    a piece that no parcel can hold is sent
      MeasuredCart.#list: for (const piece of pieces) this.#fits(piece) ==> void this.#fits
  `,
})
