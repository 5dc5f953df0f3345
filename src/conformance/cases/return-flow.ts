import { setTimeout } from 'node:timers/promises'
import type { Pressed } from '../../sandbox/scenarios/payment-page.ts'
import { addressOf, faults, isWord, noAnswerTo, type Started } from '../answers.ts'
import { casesOf } from '../case.ts'
import { call, NotMet } from '../exchange.ts'
import type { Target } from '../target.ts'

const shared = { topic: 'return flow', about: 'payments', section: 'spec 3.1', writes: true } as const

async function ended(target: Target, outcome: string, again?: Started): Promise<Started> {
  const started = await target.start(undefined, again)
  started.exchange.mustSucceed(again ? undefined : noAnswerTo('payment'))
  await target.choose(started, outcome)
  return started
}

/** Throws unless the payment has this status within three seconds. A word that the contract does not have is not waited for. */
async function expectEnd(target: Target, { orderId }: Started, wanted: 'paid' | 'cancelled'): Promise<void> {
  const until = performance.now() + 3_000
  let status = await target.statusOf(orderId)
  while (isWord(status) && status !== wanted && performance.now() <= until) {
    await setTimeout(50)
    status = await target.statusOf(orderId)
  }
  if (status === wanted) return
  const fault = await notEndedBy(target, status, wanted)
  throw new NotMet(wanted, status, await target.statusCall(orderId), fault)
}

async function notEndedBy(target: Target, status: string, wanted: 'paid' | 'cancelled'): Promise<string> {
  if (!isWord(status)) return faults.statusWord
  if (status === 'paid') return (await target.paidFault()) ?? notEnded[wanted]
  // A page that does nothing does not cancel either.
  return status === 'pending' && target.found.has(faults.notPaid) ? faults.notPaid : notEnded[wanted]
}

const notEnded = { paid: faults.notPaid, cancelled: faults.notCancelled } as const

const table = `
return-paid | must | A customer who has paid finds the order paid
  | The customer has paid and sees an unpaid order. | Store the status before you send the customer back.
return-cancelled | must | A customer who has cancelled finds the order cancelled
  | The customer cannot choose another way to pay. | Answer cancelled once the customer has given up.
return-pending | must | A payment that takes time is pending
  | The order counts as unpaid while the money is on its way. | Answer pending until the end is known, then call webhook_url.
return-paid-stays | must | Paid stays paid, even if the shop repeats its calls
  | The order of a customer who has paid is cancelled. | Make paid final: neither a repeated start nor a late cancel changes it.
return-again-after-cancelled | must | After a cancelled payment the same order can be paid
  | The customer changes their mind and cannot pay. | Treat POST payment for a cancelled order as a new attempt.
return-page-opened-is-not-paid | must | Opening the payment page pays nothing
  | A mail program that prefetches the link pays the order. | Make payments only by a POST of the page, or by the payment service itself.
return-address-kept | must, spec 4.3 | The customer is sent back to redirect_url as it was given
  | The shop does not know who came back, and the customer sees an error. | Keep redirect_url byte for byte, its query too.
`

export const returnFlowCases = casesOf(shared, table, {
  'return-paid': {
    waitsFor: [faults.notPaid],
    run: async (target) => expectEnd(target, await ended(target, 'paid'), 'paid'),
  },
  'return-cancelled': {
    waitsFor: [faults.notCancelled],
    run: async (target) => expectEnd(target, await ended(target, 'cancelled'), 'cancelled'),
  },
  async 'return-pending'(target) {
    const started = await ended(target, 'pending')
    const status = await target.statusOf(started.orderId)
    const fault = isWord(status) ? await target.paidFault() : faults.statusWord
    const exchange = await target.statusCall(started.orderId)
    exchange.must(status === 'pending', 'pending', status, fault)
  },
  'return-paid-stays': {
    waitsFor: [faults.notPaid],
    async run(target) {
      const started = await ended(target, 'paid')
      await expectEnd(target, started, 'paid')
      // Whether the start of a paid order is refused is up to the provider.
      const again = await target.start(undefined, started)
      const status = await target.statusOf(started.orderId)
      again.exchange.must(status === 'paid', 'paid', status)
    },
  },
  'return-again-after-cancelled': {
    waitsFor: [faults.notCancelled, faults.notPaid],
    async run(target) {
      const started = await ended(target, 'cancelled')
      await expectEnd(target, started, 'cancelled')
      await expectEnd(target, await ended(target, 'paid', started), 'paid')
    },
  },
  async 'return-page-opened-is-not-paid'(target) {
    const started = await target.started()
    const { orderId } = started
    for (const method of ['GET', 'GET', 'HEAD']) await call(addressOf(started), { method })
    const status = await target.statusOf(orderId)
    if (status !== 'paid') return
    const fault = await target.paidFault()
    throw new NotMet('anything but paid', status, await target.statusCall(orderId), fault)
  },
  async 'return-address-kept'(target) {
    const started = await target.started()
    const { message, exchange } = started
    const redirectUrl: string = message.redirect_url
    const text = await wayBack(await target.choose(started, 'cancelled'), redirectUrl)
    const decoded = text.replaceAll('&amp;', '&').replaceAll('&#38;', '&').replaceAll('&#x26;', '&')
    const fault = target.found.has(faults.notPaid) ? faults.notPaid : undefined
    exchange.must(decoded.includes(redirectUrl), redirectUrl, 'another address, or none', fault)
  },
})

/** Follows the answer of a payment page through a few redirects, up to the shop. Collects its addresses and texts. */
async function wayBack({ url, location, text }: Pressed, redirectUrl: string): Promise<string> {
  const shop = new URL(redirectUrl).host
  let seen = `${location ?? ''}\n${text}\n`
  for (let at = url, to = location, steps = 0; to !== undefined && steps < 4; steps++) {
    const next = URL.parse(to, at)
    if (!next || next.host === shop) break
    at = next.href
    const page = await call(at, { headers: { accept: 'text/html' } })
    to = page.answerHeaders.location
    seen += `${to ?? ''}\n${page.text}\n`
  }
  return seen
}
