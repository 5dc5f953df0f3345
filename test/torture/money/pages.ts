import { html, type PaymentAdapter } from '../../../src/index.ts'
import { payment, shopUrls } from '../../http/messages.ts'
import type { Found } from '../found.ts'
import { getOf, openTarget, ownForm, pageOf, pathOf, postOf, withPage } from '../strangers/target.ts'

/** A customer with two pages of one order, in two tabs: one of them at most takes money. */
export async function tryPages(): Promise<Found> {
  const submitted: string[] = []
  /** Paid by phone, beside the page. */
  const byPhone = new Set<string>()
  const page: PaymentAdapter['page'] = {
    render: () => html`<form method="post"><button name="outcome" value="paid">Pay</button></form>`,
    submit(_form, { attempt: { id, amount, currency } }) {
      submitted.push(id)
      return { status: 'paid', amount, currency, event: id }
    },
  }
  const payments = withPage('page', page, {
    methods: () => ['a', 'b'].map((id) => ({ id, title: id })),
    start: ({ id }) => ({ page: true, reference: id }),
    status: ({ id, amount, currency }) =>
      byPhone.has(id) ? { status: 'paid', amount, currency, event: id } : { status: 'open' },
  })
  await using target = await openTarget({ payments })
  const { call, provider, store } = target
  const violations: string[] = []
  const endpoint = pathOf((await provider.shops.add('pages')).endpoint)
  const choose = (order: number, method: string) =>
    pageOf(target, endpoint, { ...payment({ id: order, method: `page:${method}` }), ...shopUrls })
  const pay = (path: string) => call(postOf(path, 'outcome=paid', ownForm))
  const charges = async (what: string, path: string) => {
    const before = submitted.length
    const { body } = await call(getOf(path))
    if (body.includes('<form')) violations.push(`${what} still asks for money`)
    await pay(path)
    if (submitted.length > before) violations.push(`${what} still charges`)
  }

  const [first, second] = [await choose(1, 'a'), await choose(1, 'b')]
  await charges('the page of a replaced attempt', first)
  await pay(second)
  if (submitted.length === 0) violations.push('the page of the newest attempt takes no money')
  await charges('the page of a replaced attempt of a paid order', first)
  await charges('the page of a paid order', second)

  // The first attempt is paid elsewhere, such as by a transfer, while the page of the second is open.
  const [, open] = [await choose(2, 'a'), await choose(2, 'b')]
  const [attempt] = (await store.payment('pages', '2'))!.attempts
  const { id: attemptId, amount, currency } = attempt!
  await provider.payments.report({ attemptId }, { status: 'paid', amount, currency, event: 'transfer' })
  await charges('the page of an order that another attempt has paid', open)

  const scanned = await choose(3, 'a')
  byPhone.add((await store.payment('pages', '3'))!.attempts[0]!.id)
  await call(postOf(`${scanned}/cancel`, '', ownForm))
  const { status } = (await store.payment('pages', '3'))!
  if (status !== 'paid') violations.push(`a customer who paid by phone and pressed Cancel: ${status}`)
  return { tries: 5, violations }
}
