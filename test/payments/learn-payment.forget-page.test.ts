import { expect, test } from 'vitest'
import { html } from '../../src/index.ts'
import { cancelPage } from '../../src/payments/pages/leave-page.ts'
import { pageWith } from '../helpers/payment-page.ts'

test('what a customer entered is forgotten once they turn back', async () => {
  const page = await pageWith(() => ({ again: html`<p>NL91 ABNA</p>` }), {
    cancel: () => ({ status: 'cancelled' }),
  })
  await page.send()
  await cancelPage(page.workings, await page.attempt())
  await page.settle()
  expect(await page.state()).toMatchObject({ is: 'done', count: { forms: 1 } })
})

test('what a customer entered is forgotten once the payment has ended elsewhere', async () => {
  const page = await pageWith(() => ({ again: html`<p>NL91 ABNA</p>` }))
  await page.send()
  expect((await page.state()).is).toBe('again')
  await page.report({ status: 'failed' })
  await page.settle()
  expect(await page.state()).toMatchObject({ is: 'done', count: { forms: 1 } })
})

test('what a customer entered is kept while the payment is open', async () => {
  const page = await pageWith(() => ({ again: html`<p>NL91 ABNA</p>` }))
  await page.send()
  await page.report({ status: 'open' })
  await page.settle()
  expect((await page.state()).is).toBe('again')
})

test('where a customer went on to is forgotten once the payment has ended', async () => {
  const page = await pageWith(() => ({ redirect: 'https://bank.example/1' }))
  await page.send()
  expect((await page.state()).is).toBe('onward')
  await page.report({ status: 'expired' })
  await page.settle()
  expect(await page.state()).toMatchObject({ is: 'done', count: { forms: 1 } })
})

test('it is logged that what a customer entered could not be forgotten, and the payment ends all the same', async () => {
  const page = await pageWith(() => ({ again: html`<p>NL91 ABNA</p>` }))
  await page.send()
  page.workings.store.leasePage = () => Promise.reject(new Error('away'))
  expect(await page.report({ status: 'failed' })).toBe('cancelled')
  await page.settle()
  expect((await page.state()).is).toBe('again')
  const { id: attempt } = await page.attempt()
  expect(page.lines.filter(({ level }) => level === 'warn')).toEqual([
    {
      level: 'warn',
      message: 'the store could not erase the input of a customer: it stays until the payment is erased',
      fields: { shop: 'default', order: '1001', attempt, err: new Error('away') },
    },
  ])
  expect(JSON.stringify(page.lines)).not.toContain('ABNA')
})
