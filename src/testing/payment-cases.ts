import assert from 'node:assert/strict'
import type { AnyPaymentAdapter } from '../any-adapter.ts'
import { pageView } from '../http/pages/adapter-pages.ts'
import { languagesOf } from '../http/pages/texts.ts'
import type { MessageOptions } from '../messages/options.ts'
import type { Started } from '../payments/adapter.ts'
import type { PaymentAttempt, PaymentPush } from '../payments/adapter-context.ts'
import { readReports } from '../payments/ledger/report.ts'
import { checkPaymentMethod } from '../payments/list-payment-methods.ts'
import { none } from '../rates/adapter.ts'
import { type AdapterCase, casesOf, frozen, registering, unless, within } from './adapter-case.ts'
import { changedPushes, forgedPushes } from './forged.ts'
import {
  type AnyStart,
  attemptContext,
  checkoutRequest,
  contextOf,
  hasNameAndNeeds,
  names,
  pushContext,
  type Surroundings,
  startContext,
  startRequest,
} from './subjects.ts'

/** The payment adapter under test, with what it needs. */
export interface PaymentSubject extends Surroundings {
  adapter: AnyPaymentAdapter
  /** A destination with methods. Default Amsterdam. */
  to?: MessageOptions
  /** A genuine push about an attempt, as the payment service would send it. Without it pushes are not tested. */
  push?: (attempt: PaymentAttempt) => PaymentPush | Promise<PaymentPush>
  /**
   * The parts of a push that the service signs, and those that carry its signature: `body`, `body amount.value`, `header x-signature`,
   * `query data.id`. Only these are forged, and a change of another part must change nothing. Default: every part counts as signed.
   */
  signs?: readonly string[]
}

const languages = languagesOf({})

async function listed({ adapter, ...subject }: PaymentSubject, request: ReturnType<typeof checkoutRequest>) {
  const ctx = { ...contextOf(adapter, subject), none }
  const methods = await within('methods()', () => adapter.methods(request, ctx))
  if (Array.isArray(methods)) return methods
  assert.equal(typeof methods?.none, 'string', "methods() answers a list, or ctx.none('why')")
  return []
}

async function offered(subject: PaymentSubject) {
  const request = frozen(checkoutRequest(subject.adapter, subject.to))
  const methods = await listed(subject, request)
  return methods.map((method, index) => {
    const checked = checkPaymentMethod(method, request.shop)
    assert.ok('method' in checked, `method ${index + 1} would be left out: ${JSON.stringify(checked)}`)
    const { iconFault } = checked
    assert.ok(!iconFault, `the icon of method ${index + 1} would be left out: it ${iconFault?.message}`)
    return checked.method
  })
}

async function start(subject: PaymentSubject, changes: Partial<AnyStart> = {}) {
  const { adapter } = subject
  const [method] = await offered(subject)
  assert.ok(method, 'no method to start with; name a destination with methods in `to`')
  const request: AnyStart = { ...startRequest(adapter, { method: String(method.id) }), ...changes }
  const ctx = startContext(adapter, request, subject)
  const answer = await within('start()', () => adapter.start(frozen(request), ctx))
  const attempt: PaymentAttempt = { ...request, reference: (answer as Started).reference }
  return { adapter, answer: answer as Started, attempt, request }
}

const lacks =
  (member: 'status' | 'cancel' | 'page' | 'find' | 'push') =>
  ({ adapter }: PaymentSubject) =>
    adapter[member] === undefined ? `it has no ${member}` : undefined

const noPush = (push: PaymentSubject['push']) => (push ? undefined : 'no genuine push was given')

/** The rules for every payment adapter. */
export const paymentCases: readonly AdapterCase<PaymentSubject>[] = casesOf<PaymentSubject>({
  'it has a name, and its needs are existing fields': hasNameAndNeeds,
  async 'it offers methods, and all of them are valid'(subject) {
    assert.notEqual((await offered(subject)).length, 0, 'no method; name a destination with methods in `to`')
  },
  async 'no two methods have the same id, and the same request gets the same answer'(subject) {
    const methods = await offered(subject)
    const ids = methods.map(({ id }) => String(id))
    assert.deepEqual(ids, [...new Set(ids)])
    assert.deepEqual(await offered(subject), methods)
  },
  async 'methods are answered for an unknown customer'(subject) {
    const request = checkoutRequest(subject.adapter, {}, (body) => {
      for (const part of ['customer', 'billing_address', 'shipping_address']) body[part] = {}
    })
    await listed(subject, request)
  },
  async 'start() answers in one of the allowed ways'(subject) {
    const { answer } = await start(subject)
    const ways = ['redirect', 'page', 'later', 'refused'].filter((way) => way in answer)
    const says = `start() answers one of redirect, page, later and refused, not ${ways.join(' and ')}`
    assert.equal(ways.length, 1, says)
    if ('redirect' in answer) assert.match(answer.redirect, /^https?:\/\//)
    if ('page' in answer)
      assert.ok(subject.adapter.page, 'start() answers { page: true } and the adapter has no page')
    if (answer.expiresAt) assert.ok(answer.expiresAt.getTime() > Date.now(), 'expiresAt has passed already')
  },
  async 'amounts in yen and dinar start, with the digits of their currency'(subject) {
    for (const [currency, amount] of Object.entries({ jpy: '2934', kwd: '29.340' }))
      await start(subject, { amount, currency }).catch((error: Error) =>
        assert.doesNotMatch(error.message, /took longer|RangeError/, currency),
      )
  },
  'the same idempotency key starts one payment': unless(
    ({ adapter }) => (adapter.idempotency ? undefined : 'it declares no idempotency'),
    async (subject) => {
      const { answer, request } = await start(subject)
      const again = await subject.adapter.start(request, startContext(subject.adapter, request, subject))
      assert.equal((again as Started).reference, answer.reference)
    },
  ),
  async 'two payments have two references'(subject) {
    const [one, other] = [await start(subject), await start(subject)]
    if (one.answer.reference !== undefined) assert.notEqual(other.answer.reference, one.answer.reference)
  },
  'find() finds a started payment by its key, and no other': unless(lacks('find'), async (subject) => {
    const { adapter, answer, attempt } = await start(subject)
    const ctx = startContext(adapter, attempt, subject)
    const found = await adapter.find?.(attempt.idempotencyKey, ctx)
    assert.equal((found as Started | undefined)?.reference, answer.reference)
    assert.equal(await adapter.find?.('an unused key', ctx), undefined)
  }),
  'a payment that was just started is not paid': unless(lacks('status'), async (subject) => {
    const { attempt } = await start(subject)
    const reports = await subject.adapter.status?.(frozen(attempt), contextOf(subject.adapter, subject))
    for (const { word, detail } of readReports(reports!)) {
      assert.notEqual(word, 'paid')
      assert.notEqual(word, 'unknown', `the status ${detail} is unknown`)
    }
  }),
  'status() stops at its deadline': unless(lacks('status'), async (subject) => {
    const { adapter, attempt } = await start(subject)
    const ctx = contextOf(adapter, { ...subject, signal: AbortSignal.abort() })
    await within('status() after its deadline', () => adapter.status?.(attempt, ctx)).catch((error: Error) =>
      assert.doesNotMatch(error.message, /took longer/),
    )
  }),
  'cancelling twice is harmless, and never makes a payment': unless(lacks('cancel'), async (subject) => {
    const { adapter, attempt } = await start(subject)
    for (let times = 0; times < 2; times++) {
      const reports = await adapter.cancel?.(attempt, contextOf(adapter, subject))
      for (const { word } of reports ? readReports(reports) : []) assert.notEqual(word, 'paid')
    }
  }),
  'its pushes are verified, or confirmed by status()': unless(lacks('push'), async ({ adapter }) => {
    const { verify, confirm } = adapter.push!
    assert.ok(verify ?? confirm === 'status', "push has verify, or confirm: 'status'")
    if (!verify) assert.ok(adapter.status, "confirm: 'status' needs status(), and the adapter has none")
  }),
  'a genuine push is verified, and names its attempt': unless(
    (subject) => lacks('push')(subject) ?? noPush(subject.push),
    async (subject) => {
      const { adapter, attempt } = await start(subject)
      const push = await subject.push!(attempt)
      const { verify, read } = adapter.push!
      const ctx = pushContext(adapter, attempt, subject)
      if (verify) assert.equal(await verify(push, ctx), true)
      const about = [await read(push, ctx)].flat()
      const isNamed = about.some((one) => names(one, attempt))
      assert.ok(isNamed, 'read() names the attempt by its reference or its id')
    },
  ),
  'no forged push is verified': unless(
    ({ adapter, push }) => (adapter.push?.verify ? noPush(push) : 'it verifies no pushes itself'),
    async (subject) => {
      const { adapter, attempt } = await start(subject)
      const ctx = pushContext(adapter, attempt, subject)
      for (const { how, push } of forgedPushes(await subject.push!(attempt), subject.signs)) {
        // An error counts as not verified.
        const verified = await within('verify()', () => adapter.push!.verify!(push, ctx)).catch(() => false)
        assert.notEqual(verified, true, `a push with ${how} is accepted as genuine`)
      }
    },
  ),
  'a part of a push that is not signed changes nothing': unless(
    ({ push, signs }) => (push && signs ? undefined : 'the signed parts were not given: `signs`'),
    async (subject) => {
      const { adapter, attempt } = await start(subject)
      const ctx = pushContext(adapter, attempt, subject)
      // The words for people may differ.
      const said = async (push: PaymentPush) =>
        JSON.stringify(await adapter.push!.read(push, ctx), (name, value) =>
          name === 'detail' ? undefined : value,
        )
      const genuine = await subject.push!(attempt)
      const expected = await said(genuine)
      for (const { how, push } of changedPushes(genuine, subject.signs!).unsigned) {
        const changed = await said(push).catch(() => expected)
        const says = `a push with ${how} says something else, and its service did not sign that`
        assert.equal(changed, expected, says)
      }
    },
  ),
  'its page is shown in every language, with a form that posts to itself': unless(
    lacks('page'),
    async (subject) => {
      const { attempt } = await start(subject)
      for (const language of languages.values()) {
        const view = pageView({ attempt, adapter: subject.adapter, language }, (name) => `/${name}`)
        const content = String(await subject.adapter.page?.render(view, contextOf(subject.adapter, subject)))
        assert.notEqual(content.trim(), '')
        assert.doesNotMatch(content, /<form[^>]*\saction=/i, 'forms leave out action')
        assert.doesNotMatch(content, /<script|\son[a-z]+=|javascript:/i, 'pages work without scripts')
      }
    },
  ),
  'an empty form pays nothing': unless(lacks('page'), async (subject) => {
    const { adapter, attempt } = await start(subject)
    const ctx = attemptContext(adapter, attempt, subject)
    const view = pageView({ attempt, adapter, language: languages.get('en')! }, (name) => `/${name}`)
    for (const form of [{}, { nothing: 'known' }] as Record<string, string>[]) {
      const submit = {
        returnUrl: 'https://provider.example/return',
        idempotencyKey: `${attempt.idempotencyKey}-1`,
      }
      const submitted = within('submit()', () => adapter.page?.submit?.(form, view, { ...ctx, ...submit }))
      const said = await submitted.catch(() => undefined)
      const learned = said && !('again' in said) && !('redirect' in said) ? readReports(said) : []
      for (const { word } of [...learned, ...ctx.learned]) assert.notEqual(word, 'paid')
    }
  }),
})

/** Registers the rules for every payment adapter as tests: `testPaymentAdapter({ test, adapter, push })`. */
export const testPaymentAdapter = registering('testPaymentAdapter', paymentCases)
