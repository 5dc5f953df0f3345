import { z } from 'zod'
import type { AnyPaymentAdapter } from '../../../src/any-adapter.ts'
import type { MoneyMoveRequest } from '../../../src/payments/adapter.ts'
import type { MoneyRequestKind } from '../../../src/payments/ledger/movements.ts'
import { moveMoney } from '../../../src/payments/move-money.ts'
import { patchSettings } from '../../../src/shops/change-settings.ts'
import { paymentsWith } from '../../helpers/provider.ts'
import { type Found, finding, joined } from '../found.ts'

const order = { orderId: 1001 }
const words = { refund: 'refunded', capture: 'paid' } as const

/** An order of 29.34 whose payment service does what it is asked once for each key, and may lose its answer. */
async function orderWith(kind: MoneyRequestKind, violations: string[]) {
  const done = new Map<string, { amount: string; event: string }>()
  const service = { losesAnswers: false }
  const move: AnyPaymentAdapter['refund'] = async (_attempt, request: MoneyMoveRequest) => {
    const { amount, currency, idempotencyKey: key } = request
    const requests = await setup.workings.store.moneyRequests('default', '1001')
    if (!requests.some((one) => one.key === key))
      violations.push(`a ${kind} is asked for before its key is on disk`)
    const did = done.get(key) ?? { amount, event: `${kind}-${done.size + 1}` }
    done.set(key, did)
    if (service.losesAnswers) throw new Error('connection reset')
    return { status: words[kind], currency, ...did }
  }
  const setup = paymentsWith({ [kind]: move })
  await setup.start()
  const status = kind === 'refund' ? 'paid' : 'authorised'
  await setup.report({ status, amount: '29.34', currency: 'eur', event: 'tr_1' })
  const ask = (amount?: string) =>
    moveMoney(setup.workings, kind, order, { amount }).then(
      ({ refused }) => refused ?? 'done',
      ({ code }) => String(code),
    )
  const moved = () => [...done.values()].reduce((sum, { amount }) => sum + Number(amount), 0)
  return { ...setup, service, ask, moved }
}

/** How often a refund is made whose adapter looks something up in vain behind it, after the shop changed its key. */
async function timesBehindVainLookUp(): Promise<number> {
  let made = 0
  const { workings, world, start, report } = paymentsWith({
    settings: z.object({ key: z.string().optional() }),
    async refund(_attempt, { amount, currency }, { fetch }) {
      const event = `refund-${++made}`
      await fetch('https://psp.example/unknown')
      return { status: 'refunded', amount, currency, event }
    },
  })
  world.outgoing.fetch = async () => new Response(null, { status: 404 })
  const look = async () => (await workings.store.shop('default'))!
  const use = (key: string) => patchSettings({ workings, look, by: 'a test' }, { adapters: { psp: { key } } })
  await workings.store.ensureShop('default', { tokenHash: 'h', sealedToken: 'sealed', now: world.now() }, {})
  await use('old')
  await start()
  await report({ status: 'paid', amount: '29.34', currency: 'eur', event: 'tr_1' })
  await use('new')
  await moveMoney(workings, 'refund', order, { amount: '5.00' })
  return made
}

/** Refunds and captures whose answer is lost, that two people ask for at once, and that come to more than is left. */
export async function tryRefunds(): Promise<Found> {
  const behind = finding()
  behind.is('how often a refund behind a look-up in vain is made', await timesBehindVainLookUp(), 1)
  const all = [behind.found]
  for (const kind of ['refund', 'capture'] as const) {
    const { found, is } = finding(`${kind}: `)
    all.push(found)
    const { service, ask, moved, stored } = await orderWith(kind, found.violations)
    service.losesAnswers = true
    is('an answer that was lost', await ask('5.00'), 'MONEY_UNKNOWN')
    is('more than is left beside it', await ask('24.35'), 'MONEY_UNAVAILABLE')
    service.losesAnswers = false
    is('the repeat of it', await ask('5.00'), 'done')
    is('what moved after a repeat', moved(), 5)
    is('one of two calls at once', (await Promise.all([ask('20.00'), ask('20.00')])).includes('done'), true)
    is('what moved after two calls at once', moved(), 25)
    is('more than is left', await ask('4.35'), 'MONEY_UNAVAILABLE')
    is('all that is left', await ask(), 'done')
    is('what moved in all', moved().toFixed(2), '29.34')
    const [attempt] = (await stored()).attempts
    const learned = attempt!.facts.filter(({ source }) => source === kind)
    is('what was learned', learned.reduce((sum, { amount }) => sum + Number(amount), 0).toFixed(2), '29.34')
  }
  return joined(all)
}
