import { expect, test } from 'vitest'
import type { AttemptStart } from '../../../src/payments/ledger/payment.ts'
import {
  isUnsure,
  type PageStanding,
  type PageState,
  pageStanding,
} from '../../../src/payments/pages/page-state.ts'
import { money, Order } from '../order.ts'

const asPage: AttemptStart = {
  how: 'page',
  paymentUrl: undefined,
  urlExpiresAt: undefined,
  reference: undefined,
}

const count = (forms: number) => ({ forms, fruitless: forms, nextAt: 0 })

function shown(
  { payment }: Order,
  {
    state = { is: 'open', count: count(0) },
    attempt = 1,
    started = asPage,
  }: { state?: PageState; attempt?: number; started?: AttemptStart | undefined } = {},
  now = 0,
): PageStanding['shows'] {
  return pageStanding(payment, { ...payment.attempts[attempt - 1]!, started }, () => state, now).shows
}

test('a page takes a form until one of it has reported how the payment stands, or the service is at it', () => {
  expect(shown(new Order())).toBe('form')
  expect(shown(new Order().says('open'))).toBe('form')
  expect(shown(new Order().says('pending'))).toBe('status')
  expect(shown(new Order().learn({ status: 'pending' }, { source: 'page' }))).toBe('status')
  expect(shown(new Order(), { state: { is: 'done', count: count(1) } })).toBe('status')
})

test('whatever a form left, the status counts once the payment service is at it, until it says open again', () => {
  const working = new Order().says('pending')
  for (const is of ['open', 'onward', 'unsure'] as const) {
    const state = { is, url: '', quiet: 0, at: 0, count: count(1) } as PageState
    expect(shown(working, { state })).toBe('status')
  }
  working.learn({ status: 'open' }, { now: 1 })
  expect(shown(working, { state: { is: 'open', count: count(1) } })).toBe('form')
})

test('a page takes no form beside an authorisation or a part of the money', () => {
  expect(shown(new Order().says('authorised 100.00 #a'))).toBe('status')
  expect(shown(new Order().says('paid 10.00 #t'))).toBe('status')
})

test('only an attempt that was started as a page has a form', () => {
  for (const how of ['redirect', 'later'] as const)
    expect(shown(new Order(), { started: { ...asPage, how } })).toBe('status')
  const { payment } = new Order()
  const unknown = { ...payment.attempts[0]!, started: undefined }
  expect(pageStanding(payment, unknown, () => ({ is: 'open', count: count(0) }), 0).shows).toBe('status')
})

test('the page of an attempt that has ended is over without any form', () => {
  for (const status of ['failed', 'cancelled', 'expired'] as const)
    expect(shown(new Order().learn({ status }))).toBe('status')
})

test.each([1, 2])(
  'the pages of a replaced attempt and of an order that attempt %i has paid are over',
  (attempt) => {
    const order = new Order()
    order.start()
    expect([shown(order), shown(order, { attempt: 2 })]).toEqual(['replaced', 'form'])
    order.learn(money('paid', '100.00', 't1'), { attempt })
    expect([shown(order), shown(order, { attempt: 2 })]).toEqual(['status', 'status'])
  },
)

test('a form that is handled becomes one whose outcome nobody knows', () => {
  const state: PageState = { is: 'handling', until: 10, quiet: 20, count: count(1) }
  expect([9, 10].map((now) => shown(new Order(), { state }, now))).toEqual(['handling', 'unsure'])
  expect(isUnsure(state)).toBe(true)
  expect(isUnsure({ is: 'onward', url: '', at: 0, count: count(1) })).toBe(false)
})

test('a form of another attempt that is handled, or whose outcome nobody knows, keeps every page of the order from taking one', () => {
  const order = new Order()
  order.start()
  const { payment } = order
  const [old, newest] = payment.attempts.map((one) => ({ ...one, started: asPage }))
  const at = (state: PageState, now = 0, attempts = [old!, newest!]) =>
    attempts.map((one) =>
      pageStanding(
        { ...payment, attempts },
        one,
        ({ id }) => (id === old!.id ? state : { is: 'open', count: count(0) }),
        now,
      ),
    )
  const handling: PageState = { is: 'handling', until: 10, quiet: 20, count: count(1) }
  expect(at(handling)).toEqual([{ shows: 'handling' }, { shows: 'handling' }])
  const unsure = { shows: 'unsure', of: expect.objectContaining({ id: old!.id }) }
  expect(at(handling, 10)).toEqual([unsure, unsure])
  expect(at({ is: 'unsure', quiet: 0, count: count(1) })).toEqual([unsure, unsure])
  expect(at({ is: 'open', count: count(1) })).toEqual([{ shows: 'replaced' }, { shows: 'form' }])
  const pending = { ...old!, lastWord: { is: 'working', at: 1 } as const }
  const done = at({ is: 'done', count: count(1) }, 0, [pending, newest!])
  expect(done).toEqual([{ shows: 'replaced' }, { ...unsure, of: pending }])
  const open = at({ is: 'open', count: count(0) }, 0, [pending, newest!])
  expect(open).toEqual([{ shows: 'replaced' }, { shows: 'form' }])
  const cancelled = { ...old!, facts: [{ kind: 'cancelled', source: 'cancel', at: 1 } as const] }
  expect(at(handling, 0, [cancelled, newest!])).toEqual([{ shows: 'replaced' }, { shows: 'form' }])
})
