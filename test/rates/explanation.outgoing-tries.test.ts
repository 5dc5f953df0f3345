import { expect, test } from 'vitest'
import { OutgoingTries } from '../../src/rates/explanation.ts'

const url = 'https://carrier.example/rates?to=1012LG'

test('a call has its status and time, and in development its path and the beginning of a refused answer', async () => {
  const long = `<p>\n  ${'no '.repeat(300)}`
  const tries = new OutgoingTries(() => 5, true)
  const fetching = tries.of(async () => new Response(long, { status: 401 }))
  const answer = await fetching(url, { method: 'POST' })
  expect(await answer.text()).toBe(long)
  const [call] = tries.all
  expect(call).toMatchObject({ method: 'POST', to: 'carrier.example/rates', status: 401, ms: 0 })
  expect(call!.answer).toMatch(/^<p> no no /)
  expect(call!.answer).toHaveLength(300)
})

test('production keeps neither the path nor a word of the answer, and a good answer is not repeated', async () => {
  const production = new OutgoingTries(() => 5, false)
  await production.of(async () => new Response('no', { status: 401 }))(url)
  expect(production.all).toEqual([{ method: 'GET', to: 'carrier.example', status: 401, ms: 0 }])
  const development = new OutgoingTries(() => 5, true)
  await development.of(async () => new Response('yes'))(url)
  await development.of(async () => new Response('', { status: 404 }))(url)
  expect(development.all.map((call) => 'answer' in call)).toEqual([false, false])
})

test('a refused answer that breaks off is that of the adapter to read', async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
  const tries = new OutgoingTries(() => 5, true)
  const answer = await tries.of(async () => new Response(broken, { status: 500 }))(url)
  expect(tries.all).toMatchObject([{ status: 500 }])
  await expect(answer.text()).rejects.toThrow('reset')
})
