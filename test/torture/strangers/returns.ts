import { createHmac } from 'node:crypto'
import { html, type PaymentAdapter, type ReturnReader } from '../../../src/index.ts'
import { hashPageToken } from '../../../src/payments/addresses.ts'
import { payment, shopUrls } from '../../http/messages.ts'
import { BankPage, tryAtBank } from './at-bank.ts'
import { foreignForm, openTarget, ownForm, pageOf, pathOf, withPage } from './target.ts'

const signed = (result: string) => createHmac('sha256', 'the secret of the bank').update(result).digest('hex')
const genuine = `result=paid&mac=${signed('paid')}`

/** What somebody who knows the address of the return may send to it. */
const forgeries = [
  ...['', 'result=paid', 'result=paid&mac=', 'result=paid&mac=00', `result=paid&mac=${signed('cancelled')}`],
  ...[`result=paid&result=paid&mac=${signed('paid')}`, `mac=${signed('paid')}`],
  `result=${'x'.repeat(9_000)}`,
]

/** Two banks: what the first sends along is signed; the second is asked instead, and says that nobody has paid. */
function banks(returnUrls: Map<string, string>, read: string[]): PaymentAdapter[] {
  const reader: Pick<ReturnReader, 'read'> = {
    read({ query, body }) {
      read.push(query || body.toString())
      return { status: 'paid', amount: '29.34', currency: 'eur' }
    },
  }
  const bank = (name: string, more: Partial<PaymentAdapter>): PaymentAdapter => ({
    name,
    mode: 'live',
    methods: () => [{ id: name, title: name }],
    start({ id, orderId }, { returnUrl }) {
      returnUrls.set(orderId, new URL(returnUrl).pathname)
      return { redirect: 'https://bank.example/pay', reference: id }
    },
    ...more,
  })
  const verify: ReturnReader['verify'] = ({ query, body }) => {
    const fields = new URLSearchParams(query || body.toString())
    const results = fields.getAll('result')
    return results.length === 1 && fields.get('mac') === signed(results[0]!)
  }
  return [
    bank('signing', { returned: { ...reader, verify } as ReturnReader }),
    bank('asked', { returned: { ...reader, confirm: 'status' }, status: () => ({ status: 'pending' }) }),
  ]
}

/** A page whose form pays. */
const pageAdapter = (submitted: string[]): PaymentAdapter =>
  withPage('page', {
    render: () => html`<form method="post"><button name="pay">Pay</button></form>`,
    submit(_fields, { attempt: { id, amount, currency } }) {
      submitted.push(id)
      return { status: 'paid', amount, currency }
    },
  })

/** Tries to be paid by coming back from a bank, by an address that is a guess, and by pages that are over. */
export async function tryReturns() {
  const returnUrls = new Map<string, string>()
  const [read, submitted, violations] = [[] as string[], [] as string[], [] as string[]]
  const bank = new BankPage()
  const payments = [...banks(returnUrls, read), pageAdapter(submitted), bank.adapter]
  await using target = await openTarget({ payments })
  const { call, provider, store } = target
  const endpoint = pathOf((await provider.shops.add('returns')).endpoint)
  let requests = 0
  const ask = (method: 'GET' | 'POST', path: string, headers = ownForm, body?: string) => {
    requests++
    return call({ method, path, headers, ...(body !== undefined && { body }) })
  }
  const statusOf = async (id: number) => (await store.payment('returns', String(id)))?.status
  const start = (id: number, adapter: string) =>
    pageOf({ call }, endpoint, { ...payment({ id, method: `${adapter}:${adapter}` }), ...shopUrls })
  const back = (path: string, method: 'GET' | 'POST', sent: string) =>
    method === 'GET' ? ask(method, `${path}?${sent}`, foreignForm) : ask(method, path, foreignForm, sent)

  const atBank = await start(7, 'bank')
  const send = (way: string, body = '') =>
    ask('POST', atBank + way, way === '/return' ? foreignForm : ownForm, body)
  const page = async () => (await ask('GET', atBank)).body
  const bankTries = tryAtBank(bank, { send, page })

  // Another order each time: the service of one is asked once in two seconds.
  let id = 100
  for (const adapter of ['signing', 'asked'] as const) {
    for (const sent of [...forgeries, ...(adapter === 'asked' ? [genuine] : [])])
      for (const method of ['GET', 'POST'] as const) {
        await start(++id, adapter)
        const { status } = await back(returnUrls.get(String(id))!, method, sent)
        if (status !== 303) violations.push(`${sent.slice(0, 30)} keeps the customer: ${status}`)
        if ((await statusOf(id)) !== 'pending')
          violations.push(
            `an order is paid by ${sent.slice(0, 30) || 'nothing'} that came back to "${adapter}"`,
          )
      }
  }
  if (read.some((one) => one !== '' && !new URLSearchParams(one).has('result') && one.includes('mac=0')))
    violations.push('a return that is not verified is read')

  // The address of a return is known by its whole token only: not by its time, and not by the secret of another one.
  await start(1, 'signing')
  // Tokens of one millisecond begin alike: the secret of one behind the time of the other would be no guess.
  await new Promise((resolve) => setTimeout(resolve, 2))
  await start(3, 'signing')
  const [one, other] = ['1', '3'].map((id) => returnUrls.get(id)!.split('/')[2]!) as [string, string]
  const guesses = [
    other.slice(0, -43) + 'A'.repeat(43),
    other.slice(0, -43) + one.slice(-43),
    `${other.slice(0, -1)}${other.endsWith('A') ? 'B' : 'A'}`,
    ...[other.slice(0, -1), `${other}A`, hashPageToken(other), other.toLowerCase()],
  ]
  for (const guess of guesses) {
    const { status } = await back(`/p/${guess}/return`, 'GET', genuine)
    if (status !== 404) violations.push(`a return to a guessed address is answered ${status}`)
  }
  if ((await statusOf(3)) !== 'pending') violations.push('an order is paid at a guessed address')
  await back(returnUrls.get('3')!, 'POST', genuine)
  if ((await statusOf(3)) !== 'paid') violations.push('a genuine return does not count')

  // A page that is over: the order was paid beside it, or another attempt has taken its place.
  const paid = await start(4, 'page')
  const attempt = (await store.payment('returns', '4'))!.attempts[0]!
  const { amount, currency } = attempt
  await provider.payments.report({ attemptId: attempt.id }, { status: 'paid', amount, currency })
  const replaced = await start(5, 'page')
  if (!(await ask('GET', replaced)).body.includes('name="pay"')) violations.push('a page shows no form')
  await start(5, 'signing')
  for (const [what, page, id] of [
    ['of a paid order', paid, 4],
    ['of a replaced attempt', replaced, 5],
  ] as const) {
    if ((await ask('GET', page)).body.includes('name="pay"'))
      violations.push(`the page ${what} shows its form`)
    await ask('POST', page, ownForm, 'pay=')
    if (submitted.length > 0) violations.push(`the page ${what} takes a form`)
    if (id === 5 && (await statusOf(5)) !== 'pending') violations.push(`the page ${what} pays`)
  }

  // The forms of our own: another site must not cancel, begin anew or look.
  const open = await start(6, 'page')
  for (const way of ['cancel', 'again', 'look']) {
    const { status } = await ask('POST', `${open}/${way}`, foreignForm, '')
    if (status !== 403) violations.push(`another site posts ${way}: ${status}`)
  }
  if ((await statusOf(6)) !== 'pending') violations.push('another site cancels a payment')

  violations.push(...(await bankTries))
  return { requests, violations: [...new Set(violations)] }
}
