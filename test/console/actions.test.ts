import { expect, test } from 'vitest'
import { z } from 'zod'
import { House } from './house.ts'
import { consoleWith } from './people.ts'

const hour = 3_600_000
const note = 'The service had an outage'

/** The hidden fields and the note of each form with this button on a page. */
const formsOf = (page: string, button: string): Record<string, string>[] =>
  [...page.matchAll(/<form[^>]*>(.*?)<\/form>/gs)]
    .filter(([form]) => form.includes(`value="${button}"`))
    .map(([form]) => ({
      ...Object.fromEntries(
        [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
          name,
          value,
        ]),
      ),
      button: />([^<]*)<\/button>/.exec(form)![1]!,
    }))

const refunding = {
  name: 'cardpay',
  methods: () => [],
  start: () => undefined,
  refund: () => ({ status: 'pending' }),
}

async function opened() {
  const desk = await consoleWith({ payments: [refunding] })
  const { store, clock, provider } = desk
  const house = new House(store, clock.now(), (id) => provider.shops.add(id))
  await provider.shops.add('wren')
  return { ...desk, house, fay: await desk.signIn('finance', 'fay') }
}

test('a cause is closed as its button says: not what was before it, after it or of another adapter', async () => {
  const { store, clock, house, fay } = await opened()
  const began = clock.now() - 20 * hour
  const open = async (orderId: string, openedAt: number, adapter = 'cardpay') => {
    const { id } = await house.order({ orderId, openedAt, adapter })
    await store.openAnomaly(
      'wren',
      orderId,
      { kind: 'unknown_status', attemptId: id, event: 'odd' },
      openedAt,
    )
  }
  await open('before', began)
  for (const order of [1, 2, 3]) await open(`in-${order}`, began + 10 * hour + order)
  await open('other', began + 10 * hour + 2, 'bankpay')
  const forms = formsOf(await fay.page('/anomalies'), 'close')
  const ofThree = forms.find(({ button }) => button === 'Close 3 anomalies')!
  expect(forms.map(({ button }) => button)).toEqual(['Close 3 anomalies'])
  await open('after', clock.now())
  clock.advance(1)
  const { button: _, ...fields } = ofThree
  const answer = await fay.post('/anomalies/close', { ...fields, do: 'close', note })
  expect(answer.status).toBe(303)
  const left = (await store.anomalies({ limit: 9 })).map(({ orderId }) => orderId)
  expect(left).toEqual(['before', 'other', 'after'])
  const entries = await store.searchAuditTrail({ by: 'fay', action: 'anomaly', limit: 9 })
  expect(entries.map(({ entry }) => 'order' in entry && entry.order).toSorted()).toEqual([
    'in-1',
    'in-2',
    'in-3',
  ])
})

test('an amount that is refused stands on the page of its payment, and no money is asked for', async () => {
  const { store, clock, house, fay } = await opened()
  const { id, learn } = await house.order({ orderId: '7', openedAt: clock.now() })
  await learn(clock.now(), { word: 'paid', amount: '149.00', currency: 'eur', event: 'ch' })
  for (const amount of ['', '150', '-1', '0', 'NaN', '1e3', '1,234', '1.234', '٣']) {
    const answer = await fay.act('/payments/wren/7/refund', 'refund', { attempt: id, amount, why: note })
    expect([answer.status, amount]).toEqual([422, amount])
    const page = await answer.text()
    expect(page).toContain('It was not done: ')
    expect(page).toContain('€149.00')
  }
  for (const attempt of ['', 'wren.none', 'loom.1']) {
    const form = { attempt, amount: '1.00', status: 'paid', event: 'e', why: note }
    for (const action of ['refund', 'report']) {
      const answer = await fay.act(`/payments/wren/7/${action}`, action, form)
      expect([answer.status, attempt]).toEqual([422, attempt])
    }
  }
  expect(await store.moneyRequests('wren', '7')).toEqual([])
})

test('what is done to an order that is not there is refused, and leads back', async () => {
  const { fay } = await opened()
  for (const action of ['ask', 'send']) {
    const answer = await fay.act(`/payments/wren/none/${action}`, action)
    const page = await answer.text()
    expect(answer.status).toBeLessThan(500)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(page).toContain('href="/console/payments/wren/none">Try again')
  }
})

test('money whose refund has no answer yet is not offered again', async () => {
  const { store, clock, house, fay } = await opened()
  const { id, learn } = await house.order({ orderId: '7', openedAt: clock.now() })
  await learn(clock.now(), { word: 'paid', amount: '149.00', currency: 'eur', event: 'ch' })
  const most = async () => /At most (\d+\.\d\d)/.exec(await fay.page('/payments/wren/7'))?.[1]
  expect(await most()).toBe('149.00')
  await store.openMoneyRequest({
    ...{ shopId: 'wren', orderId: '7', kind: 'refund', attemptId: id, amount: '100.00' },
    ...{ key: undefined, newKey: 'k', now: clock.now(), by: 'fay' },
  })
  expect(await most()).toBe('49.00')
})

test('a refund without an answer waits on Now, and is asked for again with its key', async () => {
  const keys: string[] = []
  const refund = (_: unknown, { idempotencyKey }: { idempotencyKey: string }) => {
    keys.push(idempotencyKey)
    return { status: 'refunded', amount: '100.00', currency: 'eur', event: 're' }
  }
  const { store, clock, provider, signIn } = await consoleWith({ payments: [{ ...refunding, refund }] })
  const house = new House(store, clock.now(), (id) => provider.shops.add(id))
  await provider.shops.add('wren')
  const { id, learn } = await house.order({ orderId: '7', openedAt: clock.now() })
  await learn(clock.now(), { word: 'paid', amount: '149.00', currency: 'eur', event: 'ch' })
  await store.openMoneyRequest({
    ...{ shopId: 'wren', orderId: '7', kind: 'refund', attemptId: id, amount: '100.00' },
    ...{ key: undefined, newKey: 'the-key', now: clock.now(), by: 'fay' },
  })
  const fay = await signIn('finance', 'fay')
  const waits = 'A refund of order 7 has no answer'
  expect(await fay.page('/')).not.toContain(waits)
  clock.advance(60_001)
  expect(await fay.page('/')).toContain(waits)
  const path = '/payments/wren/7'
  const again = formsOf(await fay.page(path), 'refund').find(({ button }) => button === 'Ask again')!
  const { button: _, ...fields } = again
  expect((await fay.post(`${path}/refund`, { ...fields, do: 'refund', why: note })).status).toBe(303)
  expect(keys).toEqual(['the-key'])
  expect(await fay.page('/')).not.toContain(waits)
  expect(await fay.page(path)).not.toContain('Ask again')
})

test('a refund whose service fails is called unknown and waits on the page, and an amount may have a comma', async () => {
  const asked: unknown[] = []
  const failing = {
    ...refunding,
    refund: (_: unknown, { amount }: { amount: string }) => {
      asked.push(amount)
      throw new Error('500')
    },
    status: () => {
      throw new Error('the service is away')
    },
  }
  const { store, clock, provider, signIn } = await consoleWith({ payments: [failing] })
  const house = new House(store, clock.now(), (id) => provider.shops.add(id))
  await provider.shops.add('wren')
  const { id, learn } = await house.order({ orderId: '7', openedAt: clock.now() })
  await learn(clock.now(), { word: 'paid', amount: '149.00', currency: 'eur', event: 'ch' })
  const fay = await signIn('finance', 'fay')
  const form = { attempt: id, amount: '10,50', why: note }
  const page = await (await fay.act('/payments/wren/7/refund', 'refund', form)).text()
  expect(asked).toEqual(['10.50'])
  expect(page).toContain('It is unknown whether it was done.')
  expect(page).not.toContain('It was not done')
  expect(page).toContain('A refund of €10.50 has no answer.')
  const ask = await fay.act('/payments/wren/7/ask', 'ask', {})
  expect([ask.status, await ask.text()]).toEqual([
    422,
    expect.stringContaining('It was not done: cardpay: failed: the service is away'),
  ])
})

test('the audit trail has the reasons of people, until their payment is erased', async () => {
  const { store, clock, house, fay } = await opened()
  const { id, learn } = await house.order({ orderId: '7', openedAt: clock.now() })
  await learn(clock.now(), { word: 'paid', amount: '149.00', currency: 'eur', event: 'ch' })
  const refund = { attempt: id, amount: '1.00', why: 'They sent it back' }
  await fay.act('/payments/wren/7/refund', 'refund', refund)
  const report = { attempt: id, status: 'charged_back', amount: '148.00', event: 'dp', why: 'By the bank' }
  await fay.act('/payments/wren/7/report', 'report', report)
  const [anomaly] = await store.anomalies({ limit: 1 })
  await store.closeAnomaly(anomaly!.id, 'We answered it', clock.now(), 'fay')
  const reasons = ['By the bank', 'They sent it back', 'We answered it']
  const found = async (path: string) => {
    const page = await fay.page(path)
    return reasons.filter((reason) => page.includes(reason))
  }
  expect(await found('/audit')).toEqual(reasons)
  expect(await found('/shops/wren')).toEqual(reasons)
  await store.erasePayment('wren', '7', clock.now())
  expect(await found('/audit')).toEqual([])
})

test('the page of a shop has its settings for an admin, and none of their texts that may be secret', async () => {
  const settings = z.object({ key: z.string(), days: z.number() })
  const courier = { name: 'courier', settings, quote: () => [] }
  const { provider, signIn } = await consoleWith({ rates: [courier] })
  await provider.shops.add('wren', {
    settings: { units: { weight: 'g' }, adapters: { courier: { key: 'hush-hush', days: 3 } } },
  } as never)
  const page = await (await signIn('admin')).page('/shops/wren')
  const shown = [...page.matchAll(/<dt>([\w.]+)<\/dt><dd>(\w+)<\/dd>/g)].map(([, name, value]) => [
    name,
    value,
  ])
  expect(Object.fromEntries(shown)).toMatchObject({
    ...{ 'units.weight': 'g', 'adapters.courier.key': 'set', 'adapters.courier.days': '3' },
  })
  expect(page).not.toContain('hush-hush')
  expect(await (await signIn('finance')).page('/shops/wren')).not.toContain('<dt>adapters.courier')
})

test('a reason that a fact has no room for is refused, not cut', async () => {
  const { store, clock, house, fay } = await opened()
  const { id } = await house.order({ orderId: '7', openedAt: clock.now() })
  const form = { attempt: id, status: 'cancelled', why: 'a'.repeat(201) }
  const answer = await fay.act('/payments/wren/7/report', 'report', form)
  expect([answer.status, await answer.text()]).toEqual([
    422,
    expect.stringContaining('Write why in 200 characters at most.'),
  ])
  expect((await store.payment('wren', '7'))?.attempts[0]?.facts).toEqual([])
})

test('closed anomalies are listed with the last closed first', async () => {
  const { store, clock, house, fay } = await opened()
  for (const orderId of ['1', '2', '3']) {
    const { id } = await house.order({ orderId, openedAt: clock.now() })
    await store.openAnomaly(
      'wren',
      orderId,
      { kind: 'unknown_status', attemptId: id, event: 'odd' },
      clock.now(),
    )
  }
  const open = await store.anomalies({ limit: 9 })
  for (const orderId of ['1', '3', '2']) {
    clock.advance(1_000)
    await store.closeAnomaly(open.find((one) => one.orderId === orderId)!.id, note, clock.now(), 'fay')
  }
  const page = await fay.page('/anomalies?closed=1')
  expect([...page.matchAll(/order (\d) · closed/g)].map(([, order]) => order)).toEqual(['2', '3', '1'])
})

test('a question that names a method is found behind many that do not, and none is skipped', async () => {
  const { store, clock, fay } = await opened()
  const adapters = (id: string) => [
    {
      adapter: 'post',
      methods: [],
      leftOut: [{ id, reason: 'too late' }],
      calls: [],
      notes: [`box-of-${id}: no line fits`],
    },
  ]
  for (let batch = 0; batch < 2; batch++)
    await store.noteQuestions(
      Array.from({ length: 40 }, (_, at) => {
        const number = batch * 40 + at
        const id = number === 79 || number === 10 ? 'locker' : 'door'
        return {
          ...{
            id: `q-${number}`,
            shopId: 'wren',
            at: clock.now() - number * 1_000,
            kind: 'checkout',
            country: 'nl',
          },
          ...{
            weight: undefined,
            lines: 1,
            value: '9.00',
            currency: 'eur',
            ms: 5,
            methods: 0,
            missing: true,
          },
          explanation: { adapters: adapters(id), fallback: false } as never,
        } as never
      }),
    )
  const shown = async (query: string) => {
    const page = await fay.page(`/rates?${query}`)
    return {
      ids: [...page.matchAll(/>(q-\d+)</g)].map(([, id]) => id),
      older: /href="([^"]*)" rel="next"/.exec(page)?.[1],
    }
  }
  expect(await shown('method=locker')).toEqual({ ids: ['q-10', 'q-79'], older: undefined })
  expect((await shown('method=box-of-locker')).ids).toEqual(['q-10', 'q-79'])
  const first = await shown('')
  expect([first.ids.length, first.ids.at(-1)]).toEqual([30, 'q-29'])
  const next = await shown(first.older!.split('?')[1]!.replaceAll('&amp;', '&'))
  expect([next.ids[0], next.ids.length]).toEqual(['q-30', 30])
})
