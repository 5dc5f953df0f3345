import { expect, test } from 'vitest'
import type { PaymentAttempt } from '../../src/payments/adapter.ts'
import { ContentSeal } from '../../src/payments/page-tokens.ts'
import { takePush } from '../../src/use-cases/payments/take-push.ts'
import { processPushes } from '../background.ts'
import { paymentsWith } from '../use-cases/provider.ts'

const kept = { session: 'cs_1', steps: [1, 2] }

test('what start keeps with an attempt is there for status, cancel and pushes, and sealed in the store', async () => {
  const seen: Record<string, unknown> = {}
  const { start, status, stored, workings, settle } = paymentsWith({
    start: () => ({ redirect: 'https://psp.example/1', reference: 'tr_1', data: kept }),
    status: ({ data }: PaymentAttempt) => {
      seen.status = data
      return { status: 'pending' }
    },
    cancel: ({ data }: PaymentAttempt) => {
      seen.cancel = data
      return undefined
    },
    push: {
      verify: () => true,
      async read(_push, ctx) {
        seen.push = (await ctx.attempt({ reference: 'tr_1' }))?.data
        return []
      },
    },
  })
  await start()
  await status()
  const psp = workings.payments[0]!
  await takePush(workings, 'default', psp, { body: Buffer.from('x'), headers: {}, query: '' })
  await processPushes(workings)
  const { sealedData } = (await stored()).attempts[0]!.started!
  expect(Buffer.from(sealedData!, 'base64url').toString()).not.toContain('cs_1')
  await start({ price_incl: 40 })
  await settle()
  expect(seen).toEqual({ status: kept, cancel: kept, push: kept })
})

test.each([
  ['more than 4 KiB', 'x'.repeat(4_095)],
  ['no JSON', () => 1],
  ['a circle', circle()],
])('data that is %s starts no payment, and the log says why', async (_what, data) => {
  const { start, lines } = paymentsWith({ start: () => ({ later: true, data }) })
  await expect(start()).rejects.toMatchObject({ code: 'PAYMENT_START_FAILED' })
  expect(String(lines.at(-1)?.fields.err)).toContain(
    'start() of payment adapter "psp" returns data that is JSON of at most 4 KiB',
  )
})

test.each([
  [
    { redirect: 'https://psp.example/1', reference: 12345 },
    '`reference` as a text of at most 255 characters',
  ],
  [{ later: true, expiresAt: '2026-03-02' }, '`expiresAt` as a Date'],
  [{ redirect: 'https://psp.example/1', urlExpiresAt: new Date(Number.NaN) }, '`urlExpiresAt` as a Date'],
  [{ reference: 'tr_1' }, '{ redirect: url }, { page: true }, { later: true } or { refused: why }'],
  [undefined, '{ redirect: url }, { page: true }, { later: true } or { refused: why }'],
])('the log says what is wrong with an answer of start: %j', async (answer, expected) => {
  const { start, lines } = paymentsWith({ start: () => answer as never })
  await expect(start()).rejects.toMatchObject({ code: 'PAYMENT_START_FAILED' })
  expect(String(lines.at(-1)?.fields.err)).toContain(`start() of payment adapter "psp" returns ${expected}`)
})

test('data of 4 KiB is kept', async () => {
  const { start, stored } = paymentsWith({ start: () => ({ later: true, data: 'x'.repeat(4_094) }) })
  await start()
  expect((await stored()).attempts[0]?.started?.sealedData).toBeDefined()
})

test('a sealed text opens in its own row and with its own key', () => {
  const seal = new ContentSeal('a key of tests')
  const sealed = seal.close('text', 'attempt a')
  expect(seal.open(sealed, 'attempt a')).toBe('text')
  expect(() => seal.open(sealed, 'attempt b')).toThrow('The sealed text of attempt b was changed')
  expect(() => new ContentSeal('another key').open(sealed, 'attempt a')).toThrow('was changed')
  expect(() => seal.open(sealed.slice(2), 'attempt a')).toThrow('was changed')
  expect(() => seal.open('', 'attempt a')).toThrow('was changed')
  expect(() => new ContentSeal().close('text', 'attempt a')).toThrow('start the provider first')
})

test('the language is that of the order, not one that another call of the shop named', async () => {
  const languages: unknown[] = []
  const { start } = paymentsWith({
    start: ({ language }: PaymentAttempt) => {
      languages.push(language)
      return { later: true }
    },
  })
  await start({ language: 'de' })
  await start({ id: 1002 })
  expect(languages).toEqual(['de', undefined])
})

function circle(): object {
  const one: { self?: object } = {}
  one.self = one
  return one
}
