import { html, type PaymentAdapter } from '../../../src/index.ts'
import { mostForms } from '../../../src/payments/pages/page-form.ts'
import { checkout, payment, shopUrls } from '../../http/messages.ts'
import { getOf, openTarget, ownForm, pageOf, pathOf, postOf, withPage } from './target.ts'

/** Turns the words behind it around. */
const turned = 'A voucher\u202E'

/** What one visitor of one page may cause: forms in a loop, reloads in a loop, entries that are far too long. */
export async function floodPages(): Promise<string[]> {
  const calls = { submit: 0, status: 0 }
  const voucher = (name: string, most?: number): PaymentAdapter => {
    const page: PaymentAdapter['page'] = {
      ...(most && { mostForms: most }),
      render: (view) => view.form().whole({ button: turned, parts: [] }),
      submit(form) {
        calls.submit++
        if (form.bank) return { redirect: 'https://bank.example' }
        return { again: html`<p role="alert">Unknown</p><form method="post"></form>` }
      },
    }
    return withPage(name, page, {
      start: () => ({ page: true, reference: name }),
      status: () => {
        // Those of the other attempts may be due for a check.
        if (name === 'bank') calls.status++
        return { status: 'open' }
      },
    })
  }
  const payments = [voucher('voucher'), voucher('few', 3), voucher('bank'), voucher('long')]
  await using target = await openTarget({ payments })
  const { call, provider, store } = target
  const endpoint = pathOf((await provider.shops.add('floods')).endpoint)
  const open = (id: number, adapter: string) => {
    const message = payment({ id, method: `${adapter}:${adapter}` })
    return pageOf({ call }, endpoint, { ...message, ...shopUrls, shop: checkout.shop })
  }
  const send = (path: string, body = 'code=1') => call(postOf(path, body, ownForm))
  const violations: string[] = []

  const page = await open(1, 'voucher')
  const shown = (await call(getOf(page))).body
  if (/\u202E/.test(shown.replaceAll(/<bdi>[^<]*<\/bdi>/g, '')))
    violations.push('a text of others turns a page around')
  const began = Date.now()
  for (let round = 0; round < 9; round++) await Promise.all(Array.from({ length: 100 }, () => send(page)))
  for (let form = 0; form < 100; form++) await send(page)
  // Each pause is twice as long as the one before.
  const most = Math.min(mostForms, 6 + Math.log2(1 + (Date.now() - began) / 1_000))
  if (calls.submit > most) violations.push(`${calls.submit} of 1,000 forms of a page reached its adapter`)

  const few = await open(2, 'few')
  calls.submit = 0
  for (let form = 0; form < 10; form++) await send(few)
  if (calls.submit !== 3) violations.push(`${calls.submit} forms reached an adapter that takes 3`)
  const opened = (await store.anomalies({ limit: 10 })).map(({ kind }) => kind)
  if ((await store.payment('floods', '2'))?.status !== 'cancelled' || opened.join() !== 'too_many_forms')
    violations.push(`the attempt goes on after too many forms, with ${opened.join() || 'no anomaly'}`)

  const asked = Date.now()
  const bank = await open(3, 'bank')
  await send(bank, 'bank=1')
  for (let round = 0; round < 50; round++)
    await Promise.all([bank, `${endpoint}/payment/3`].map((path) => call(getOf(path))))
  if (calls.status > 1 + (Date.now() - asked) / 2_000)
    violations.push(`100 reloads of a page asked its payment service ${calls.status} times`)

  const long = await open(4, 'long')
  calls.submit = 0
  const answered = await send(long, `code=${'x'.repeat(60_000)}`)
  if (calls.submit > 0 || answered.status !== 413)
    violations.push('an entry of 60,000 characters reaches an adapter')
  return violations
}
