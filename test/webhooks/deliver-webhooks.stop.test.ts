import { expect, test } from 'vitest'
import { Background } from '../../src/provider/background.ts'
import { paymentsWith } from '../helpers/provider.ts'

const second = 1000

test('a stop waits 4 s for receivers that take long, and leaves their webhooks to the next process, which has them within 30 s', async () => {
  const { world, move, receiver, calls, workings, pay } = paymentsWith({
    start: () => ({ redirect: 'https://psp.example/1' }),
  })
  const called = () => calls.map(({ url }) => new URL(url).host)
  let answer = () => {}
  receiver.answer = ({ url }) => {
    if (url.includes('quick')) return Promise.resolve({})
    if (url.includes('soon'))
      return new Promise((resolve) => void world.after(3 * second, () => resolve({ status: 200 })))
    return new Promise((resolve) => (answer = () => resolve({ status: 200 })))
  }
  const background = new Background(workings)
  background.start()
  await pay(1, 'https://quick.example/')
  await pay(2, 'https://soon.example/')
  await pay(3, 'https://slow.example/')
  background.wake()
  await move(second)
  expect(called().toSorted()).toEqual(['quick.example', 'slow.example', 'soon.example'])

  let hasStopped = false
  void background.stop().then(() => (hasStopped = true))
  await move(3_900)
  expect(hasStopped).toBe(false)
  await move(200)
  expect(hasStopped).toBe(true)
  // What ends later changes nothing, and is not an error.
  const lines: unknown[] = []
  world.log.error = (_fields, message) => void lines.push(message)
  answer()
  await move(0)
  expect(lines).toEqual([])

  receiver.answer = async () => ({ status: 200 })
  const next = new Background(workings)
  next.start()
  await move(30 * second)
  expect(called().slice(3)).toEqual(['slow.example'])
  expect(await workings.store.countWebhooks()).toMatchObject({ owed: 0 })
  const stopping = next.stop()
  await move(0)
  await stopping
})
