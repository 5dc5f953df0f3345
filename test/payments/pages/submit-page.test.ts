import { expect, onTestFinished, test, vi } from 'vitest'
import { html, type SubmitContext } from '../../../src/index.ts'
import { cancelPage, lookAgain, standingOf } from '../../../src/payments/pages/leave-page.ts'
import { StoreUnavailable } from '../../../src/store.ts'
import { checkAttempts } from '../../background.ts'
import { otherNode, pageWith } from '../../helpers/payment-page.ts'
import { day, paid } from '../../helpers/provider.ts'
import { throwing } from '../../helpers/world.ts'

type Page = Awaited<ReturnType<typeof pageWith>>

const second = 1_000

/** The time passes, and no timer is over. */
function pass(page: Page, ms: number): void {
  const { now } = page.world
  page.world.now = () => now() + ms
}

/** A form that is under way for this long. Resolves with its answer as it stands. */
async function sentFor(page: Page, ms: number) {
  const answer = page.send()
  await page.settle()
  await page.move(ms)
  return { answer }
}

/** A page whose form ends when the test says so. */
async function hanging<T extends { status: 'paid' } | { again: string }>(adapter = {}) {
  const outcome = Promise.withResolvers<T>()
  return { page: await pageWith(() => outcome.promise as never, adapter), finish: outcome.resolve }
}

/** Another process looks at the page after each of so many minutes, and it offers no form. */
async function staysUnsure(page: Page, minutes: number) {
  for (let left = minutes; left > 0; left--) {
    await page.move(60 * second)
    await lookAgain(otherNode(page), await page.attempt())
    expect(await page.shows()).toBe('unsure')
  }
}

/** A payment service that has no answer until it says that the payment is open. */
function silentAtFirst() {
  let opens = false
  const status = () => (opens ? { status: 'open' as const } : throwing('no answer')())
  return { status, open: () => (opens = true) }
}

test('a form is answered when its outcome is on disk', async () => {
  const page = await pageWith(async () => paid)
  const { store } = page.workings
  const { learn } = store
  let isStored = false
  store.learn = async (...what) => {
    await page.settle()
    const learned = await learn(...what)
    isStored = true
    return learned
  }
  expect([await page.send(), isStored]).toEqual(['done', true])
})

test('that a form is handled is on disk before its adapter is called', async () => {
  const seen: string[] = []
  const page = await pageWith(async () => {
    seen.push((await page.state()).is)
    return paid
  })
  expect(await page.send()).toBe('done')
  expect(seen).toEqual(['handling'])
  expect([await page.shows(), await page.status()]).toEqual(['status', 'paid'])
})

test('a form whose process dies leaves a page that says not to pay again, and takes none before the service was asked', async () => {
  const { status, open } = silentAtFirst()
  const page = await pageWith(() => new Promise<never>(() => {}), { status })
  void page.send()
  await page.settle()
  expect(await page.shows()).toBe('handling')
  // The first process is gone: another one knows nothing of its forms.
  const next = otherNode(page)
  expect(await page.send(next)).toBe('page')
  const died = await page.attempt()
  pass(page, 41 * second)
  expect(await page.shows()).toBe('unsure')
  await lookAgain(next, died)
  expect(await page.shows()).toBe('unsure')
  open()
  pass(page, 3 * second)
  await lookAgain(next, died)
  // Its request may arrive until a minute after it began.
  expect(await page.shows()).toBe('unsure')
  pass(page, 20 * second)
  await lookAgain(next, died)
  expect(await page.shows()).toBe('form')
})

test('another way to pay, chosen in the shop, takes no form while that of the first is handled or nobody knows its outcome', async () => {
  const { status, open } = silentAtFirst()
  let cut = (_error: Error) => {}
  const page = await pageWith(() => new Promise((_resolve, reject) => (cut = reject)), { status })
  const first = page.send()
  await page.settle()
  await page.start({ price_incl: 30 })
  const standing = async () => {
    const payment = await page.stored()
    return payment.attempts.map((one) => standingOf(page.workings, payment, one).shows)
  }
  expect(await standing()).toEqual(['handling', 'handling'])
  cut(new Error('cut'))
  await first
  expect(await standing()).toEqual(['unsure', 'unsure'])
  const other = async () => (await page.stored()).attempts[1]!
  expect(await page.send(page.workings, other())).toBe('done')
  await page.move(61 * second)
  await lookAgain(page.workings, await page.attempt())
  expect(await standing()).toEqual(['unsure', 'unsure'])
  open()
  await page.move(2 * second)
  await lookAgain(page.workings, await page.attempt())
  expect(await standing()).toEqual(['replaced', 'form'])
})

test('at a bank another way to pay is offered only where start has made the one payment that both belong to', async () => {
  for (const reference of ['tr_1', undefined]) {
    const page = await pageWith(() => ({ redirect: 'https://bank.example/1' }), {
      start: () => ({ page: true, ...(reference && { reference }) }),
      status: () => ({ status: 'open' }),
    })
    expect(await page.send()).toBe('go')
    await lookAgain(page.workings, await page.attempt())
    expect(await page.shows()).toBe(reference ? 'form' : 'onward')
  }
})

test('two tabs, one form each: one is handled, and both lead where it leads; also on two nodes', async () => {
  let forms = 0
  let finish = () => {}
  const page = await pageWith(async () => {
    forms++
    await new Promise<void>((resolve) => (finish = resolve))
    return { redirect: 'https://bank.example/1' }
  })
  const before = page.attempt()
  const [one, two] = [page.send(page.workings, before), page.send(page.workings, before)]
  await page.settle()
  expect(await page.send(otherNode(page), before)).toBe('page')
  finish()
  expect([await one, await two, forms]).toEqual(['go', 'go', 1])
  // An old tab, read before the customer went on to the bank, opens no second session there.
  expect([await page.send(page.workings, before), forms]).toEqual(['page', 1])
})

test('each form of an attempt has an idempotency key of its own', async () => {
  const keys: string[] = []
  const page = await pageWith((_form, _view, { idempotencyKey }: SubmitContext) => {
    keys.push(idempotencyKey)
    return keys.length < 3 ? { again: 'once more' } : paid
  })
  for (const end of ['page', 'page', 'done']) expect(await page.send()).toBe(end)
  expect(new Set(keys).size).toBe(3)
  for (const key of keys) expect(key).toContain((await page.attempt()).idempotencyKey)
})

test.each([
  ['nothing', undefined],
  ['null', null],
  ['an empty list', []],
  ['open', { status: 'open' }],
  ['an address without https', { redirect: 'http://bank.example' }],
  ['no address', { redirect: 'bank' }],
  ['a script as an address', { redirect: 'javascript:alert(1)' }],
  ['content that is none', { again: {} }],
  ['a report and an address', { ...paid, redirect: 'https://bank.example' }],
])('a form that is answered with %s has no outcome', async (_what, answer) => {
  const page = await pageWith(() => answer as never)
  page.workings.payments.development = false
  expect(await page.send()).toBe('page')
  expect([await page.shows(), await page.status()]).toEqual(['unsure', 'pending'])
  expect(page.lines.map(({ message }) => message)).toContain('the outcome of a form is unknown')
})

test('a text of `again` is escaped, and what html made is not', async () => {
  for (const again of ['<b>', html`<b>`, Promise.resolve(html`<b>`)]) {
    const page = await pageWith(() => ({ again }))
    expect(await page.send()).toBe('page')
    expect(await page.state()).toMatchObject({ is: 'again', content: '<b>', isText: again === '<b>' })
  }
})

test('a form that takes too long leaves the page unsure, and its outcome counts when it comes', async () => {
  const { page, finish } = await hanging<typeof paid>({ status: () => ({ status: 'open' }) })
  const { answer: sent } = await sentFor(page, 31 * second)
  expect([await sent, await page.shows()]).toEqual(['page', 'unsure'])
  // The service has seen nothing of it yet, and the form still runs.
  await page.move(60 * second)
  await lookAgain(page.workings, await page.attempt())
  expect(await page.shows()).toBe('unsure')
  finish(paid)
  await page.settle()
  expect([await page.shows(), await page.status()]).toEqual(['status', 'paid'])
})

test('a form that came to nothing too late is offered again', async () => {
  const { page, finish } = await hanging<{ again: string }>()
  const { answer: sent } = await sentFor(page, 31 * second)
  await sent
  finish({ again: 'refused' })
  await page.settle()
  expect(await page.shows()).toBe('form')
  expect(await page.state()).toMatchObject({ is: 'again', content: 'refused' })
})

test('after an error no form is offered for a minute, although the service has seen nothing: the request may still arrive', async () => {
  const page = await pageWith(throwing('cut'), { status: () => ({ status: 'open' }) })
  await page.send()
  await lookAgain(page.workings, await page.attempt())
  expect(await page.shows()).toBe('unsure')
  await page.move(61 * second)
  await lookAgain(page.workings, await page.attempt())
  expect(await page.shows()).toBe('form')
})

test('a form that nobody can ask about never expires, and after a day a person looks at it', async () => {
  const page = await pageWith(throwing('cut'))
  await page.send()
  for (let days = 0; days < 3; days++) {
    await page.move(day)
    await checkAttempts(page.workings)
  }
  expect([await page.status(), await page.anomalies()]).toEqual(['pending', ['expiry_unconfirmed']])
})

test('a form that cannot be noted on disk is not handed on', async () => {
  const submit = vi.fn(() => paid)
  const page = await pageWith(submit)
  const { store } = page.workings
  vi.spyOn(store, 'leasePage').mockRejectedValueOnce(new Error('away'))
  await expect(page.send()).rejects.toThrow('away')
  expect(submit).not.toHaveBeenCalled()
  expect(await page.send()).toBe('done')
})

test.each(['learn', 'releasePage'] as const)(
  'an outcome that came is stored as soon as the store takes it: %s',
  async (command) => {
    const submit = vi.fn(() => paid)
    const page = await pageWith(submit)
    const { store } = page.workings
    const works = store[command] as (...what: unknown[]) => Promise<never>
    const comesBack = page.world.now() + 20 * second
    store[command] = async (...what: unknown[]) => {
      if (page.world.now() < comesBack) throw new StoreUnavailable('locked by another client')
      return works(...what)
    }
    const sent = page.send()
    await page.move(4 * second)
    // The customer sees a page that looks again by itself.
    expect([await sent, await page.shows()]).toEqual(['page', command === 'learn' ? 'handling' : 'status'])
    await page.move(17 * second)
    expect([await page.shows(), await page.status()]).toEqual(['status', 'paid'])
    expect(submit).toHaveBeenCalledOnce()
    expect((await page.state()).is).toBe('done')
  },
)

test('an outcome that the store does not take in time is in the log', async () => {
  const page = await pageWith(() => paid)
  const { store } = page.workings
  store.learn = () => Promise.reject(new StoreUnavailable('away'))
  const sent = page.send()
  await page.move(41 * second)
  expect([await sent, await page.shows(), await page.status()]).toEqual(['page', 'unsure', 'pending'])
  const [line] = page.lines.filter(({ message }) => message === 'the outcome of a form could not be stored')
  expect(line).toMatchObject({ level: 'error', fields: { adapter: 'psp', outcome: ['paid'] } })
})

test('money that came while the page was read ends it before the form is handled', async () => {
  const submit = vi.fn(() => paid)
  const page = await pageWith(submit)
  const before = page.attempt()
  await before
  await page.report(paid)
  expect(await page.send(page.workings, before)).toBe('done')
  expect(submit).not.toHaveBeenCalled()
})

test('a customer who turns back beside a form that runs cancels nothing', async () => {
  const { page, finish } = await hanging<typeof paid>()
  const before = await page.attempt()
  const sent = page.send()
  await page.settle()
  await cancelPage(page.workings, before)
  await cancelPage(page.workings, await page.attempt())
  finish(paid)
  expect([await sent, await page.status()]).toEqual(['done', 'paid'])
})

test('a form that takes longer than three seconds is answered, and goes on', async () => {
  const { page, finish } = await hanging<typeof paid>()
  const { answer: sent } = await sentFor(page, 4 * second)
  expect([await sent, await page.shows()]).toEqual(['page', 'handling'])
  finish(paid)
  await page.settle()
  expect([await page.shows(), await page.status()]).toEqual(['status', 'paid'])
})

test('no other process offers a form while one still runs that nobody waits for', async () => {
  const page = await pageWith(() => new Promise<never>(() => {}), { status: () => ({ status: 'open' }) })
  const { answer: sent } = await sentFor(page, 31 * second)
  await sent
  await staysUnsure(page, 5)
})

test('while the store is away it is logged that a form which still runs could not be noted, and it is noted after that', async () => {
  const page = await pageWith(() => new Promise<never>(() => {}), { status: () => ({ status: 'open' }) })
  const { answer: sent } = await sentFor(page, 31 * second)
  await sent
  const reading = vi.spyOn(page.workings.store, 'attempt').mockRejectedValue(new Error('away'))
  await page.move(30 * second)
  reading.mockRestore()
  const { id } = await page.attempt()
  const unnoted = () => page.lines.filter(({ message }) => message.includes('could not be stored'))
  expect(unnoted()).toEqual([
    {
      level: 'warn',
      message: 'a form that still runs could not be stored',
      fields: { shop: 'default', attempt: id, err: new Error('away') },
    },
  ])
  await staysUnsure(page, 3)
  expect(unnoted()).toHaveLength(1)
})

test('a form that takes too long while the store is away ends in an error, and never in one that nobody handles', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const page = await pageWith(() => new Promise<never>(() => {}))
  const sent = page.send()
  await page.settle()
  page.workings.store.releasePage = () => Promise.reject(new Error('away'))
  await page.move(31 * second)
  expect(await sent).toBe('page')
  await page.settle()
  expect(unhandled).toEqual([])
})
