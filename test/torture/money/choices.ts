import type { Workings } from '../../../src/parts.ts'
import type { PaymentMode } from '../../../src/payments/ledger/report.ts'
import { paid, paymentsWith } from '../../helpers/provider.ts'
import { payment } from '../../http/messages.ts'
import { startBy } from '../../start-by.ts'
import type { Found } from '../found.ts'

/** How platforms send the choice of `card` at the service `psp`. */
const forms: Record<string, (choice: string) => { id: string; method: string }> = {
  'the service and the choice': (choice) => ({ id: 'psp', method: `psp:${choice}` }),
  'a number and the choice': (choice) => ({ id: '4711', method: `psp:${choice}` }),
  'the service with its adapter and the choice': (choice) => ({ id: 'psp:service', method: `psp:${choice}` }),
  'the choice in both': (choice) => ({ id: `psp:${choice}`, method: `psp:${choice}` }),
  'the choice and a title': (choice) => ({ id: `psp:${choice}`, method: 'Pay as you like' }),
}

async function start(
  workings: Workings,
  { id, language = 'en', ...chosen }: { id: string; language?: string; method: string; order: number },
): Promise<string | undefined> {
  const { order, method } = chosen
  const body = { ...payment({ id: order }), payment_method: { id, method, title: 'Pay', data: [] } }
  return (await startBy(workings, { ...body, shop: { language } })).payment_url
}

/** Each choice has an attempt and an address of its own, in its own language, in the mode of the shop's settings. */
export async function tryChoices(): Promise<Found> {
  const violations = [...(await twoChoices()), ...(await modes())]
  return { tries: Object.keys(forms).length + 2, violations }
}

async function twoChoices(): Promise<string[]> {
  const { workings, stored } = paymentsWith({
    start: ({ id, methodId }) => ({ redirect: `https://psp.example/${methodId}`, reference: id }),
  })
  const violations: string[] = []
  for (const [place, [form, chosen]] of Object.entries(forms).entries()) {
    const order = 2000 + place
    const [bank, card, again] = [
      await start(workings, { ...chosen('bank'), order, language: 'de' }),
      await start(workings, { ...chosen('card'), order, language: 'fr' }),
      await start(workings, { ...chosen('card'), order, language: 'fr' }),
    ]
    const { attempts } = await stored(String(order))
    const found = attempts.map(({ methodId, language }) => `${methodId} in ${language}`).join(', ')
    if (found !== 'bank in de, card in fr') violations.push(`${form}: the attempts are ${found}`)
    if (bank === card) violations.push(`${form}: two choices get one address`)
    if (card !== again) violations.push(`${form}: a repeat gets another address`)
  }
  return violations
}

async function modes(): Promise<string[]> {
  const violations: string[] = []
  for (const mode of ['test', 'live'] as const) {
    const { start, report, stored } = paymentsWith({ mode: () => mode })
    await start()
    const other: PaymentMode = mode === 'test' ? 'live' : 'test'
    await report({ ...paid, event: 'tr_1', mode: other })
    const { attempts, status } = await stored()
    if (attempts[0]!.mode !== mode) violations.push(`settings of mode ${mode} start ${attempts[0]!.mode}`)
    if (status === 'paid') violations.push(`money of mode ${other} pays an order of mode ${mode}`)
  }
  return violations
}
