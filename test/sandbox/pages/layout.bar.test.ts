import { describe, expect, test } from 'vitest'
import { postForm } from '../../http/post.ts'
import { shopWith } from '../provider.ts'

const textOf = async (url: string, init?: RequestInit) => (await fetch(url, init)).text()
const everyPage = '/ /checkout /orders /services /charges /invoices /log /scenarios /switches'.split(' ')

describe('the foot of the list of pages', () => {
  test('says which switches are on and how far the clock is ahead, on every page', async () => {
    const { sandbox } = await shopWith()
    expect(await textOf(`${sandbox.url}/log`)).toContain('All faults are off; the clock shows real time.')
    sandbox.set({ webhook: 'gone' })
    await sandbox.advance('26h')
    for (const path of everyPage) {
      const page = await textOf(sandbox.url + path)
      expect(page, path).toMatch(/The webhook<\/a>: is answered 410/)
      expect(page, path).toContain('1 day 2 h ahead')
    }
  })

  test('Reset puts switches and clock back, the clock of the provider too, and shows the page of before', async () => {
    const moved: number[] = []
    const { sandbox } = await shopWith(undefined, { moveProviders: async (ms) => void moved.push(ms) })
    sandbox.set({ webhook: 'gone', answers: 'drop' })
    await sandbox.advance('1d')
    const referer = `${sandbox.url}/log?kind=rates`
    const answer = await postForm(`${sandbox.url}/reset`, {}, { referer })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/log?kind=rates'])
    expect(Math.abs(sandbox.now() - Date.now())).toBeLessThan(60_000)
    expect(moved).toEqual([86_400_000, -86_400_000])
    expect(await textOf(`${sandbox.url}/switches`)).toContain('All faults are off')
  })

  test.each([
    ['https://elsewhere.example/log', '/switches'],
    ['', '/switches'],
    ['{shop}/orders/7/pay', '/orders/7'],
  ])('Reset on a form from %s goes to %s', async (from, to) => {
    const { sandbox } = await shopWith()
    const referer = from.replace('{shop}', sandbox.url)
    const answer = await postForm(`${sandbox.url}/reset`, {}, { referer })
    expect(answer.headers.get('location')).toBe(to)
  })

  test('a caller that is refused sees nothing of it', async () => {
    const { sandbox } = await shopWith()
    sandbox.set({ webhook: 'gone' })
    const headers = { 'sec-fetch-site': 'cross-site', accept: 'text/html' }
    expect(await textOf(`${sandbox.url}/log`, { headers })).not.toContain('The webhook')
  })
})
