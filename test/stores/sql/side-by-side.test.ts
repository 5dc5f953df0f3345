import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Command, holding, type Step } from '../../../src/stores/sql/query.ts'
import { sideBySide } from '../../../src/stores/sql/side-by-side.ts'

const read = (name: string): Step => ({ sql: 'select', writes: false, values: [name] })
const write = (name: string, value: number): Step => ({ sql: 'update', writes: true, values: [name, value] })

/** A server with numbers by their names, that answers a flight some turns later. */
function server() {
  const numbers = new Map<string, number>()
  let open = 0
  const flights = { most: 0, count: 0 }
  return {
    numbers,
    flights,
    async send(steps: readonly Step[]): Promise<unknown[][]> {
      flights.count++
      flights.most = Math.max(flights.most, ++open)
      const rows = steps.map(({ sql, values: [name, value] }) => {
        if (name === 'broken') throw new Error('broken')
        if (sql === 'update') numbers.set(name as string, value as number)
        return [numbers.get(name as string) ?? 0]
      })
      await new Promise((resolve) => setImmediate(resolve))
      open--
      return rows
    },
  }
}

/** Adds one to each name in turn, reading it first. */
function* count(names: readonly string[], held: readonly string[] | undefined): Command<number> {
  if (held) yield* holding(...held)
  let sum = 0
  for (const name of names) {
    const [[value]] = (yield { steps: [read(name)] }) as [[number]]
    yield { steps: [write(name, value + 1)] }
    sum += value
  }
  return sum
}

test('commands that hold different things share their flights', async () => {
  const { send, flights, numbers } = server()
  const { outcomes, broken } = await sideBySide(
    ['a', 'b', 'c', 'd'].map((name) => () => count([name, name], [name])),
    send,
  )
  expect(broken).toBe(false)
  expect(outcomes).toEqual(Array(4).fill({ value: 1 }))
  expect([...numbers.values()]).toEqual([2, 2, 2, 2])
  expect(flights.most).toBe(4)
})

test('nothing is counted twice, whatever is held and by whom', async () => {
  const names = fc.constantFrom('a', 'b', 'c')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ names: fc.array(names, { maxLength: 3 }), alone: fc.boolean() }), {
        maxLength: 12,
      }),
      async (commands) => {
        const { send, numbers } = server()
        const { outcomes } = await sideBySide(
          commands.map(
            ({ names, alone }) =>
              () =>
                count(names, alone ? undefined : [...new Set(names)]),
          ),
          send,
        )
        expect(outcomes.every((outcome) => outcome && 'value' in outcome)).toBe(true)
        for (const name of ['a', 'b', 'c']) {
          const times = commands.flatMap(({ names }) => names).filter((one) => one === name).length
          expect(numbers.get(name) ?? 0).toBe(times)
        }
      },
    ),
  )
})

test('what is held later is waited for too, and two never wait for each other', async () => {
  const { send, numbers } = server()
  function* late(order: string): Command<number> {
    yield* holding(order)
    yield { steps: [read(order)] }
    return yield* count(['lane'], ['lane'])
  }
  const { outcomes } = await sideBySide(
    ['1', '2', '3', '1'].map((order) => () => late(order)),
    send,
  )
  expect(outcomes.map((outcome) => (outcome as { value: number }).value).toSorted()).toEqual([0, 1, 2, 3])
  expect(numbers.get('lane')).toBe(4)
})

test('a command that fails before it has written fails alone', async () => {
  const { send } = server()
  function* refuses(): Command<never> {
    yield* holding('a')
    yield { steps: [read('a')] }
    throw new TypeError('no')
  }
  const { outcomes, broken } = await sideBySide([refuses, () => count(['a'], ['a'])], send)
  expect(broken).toBe(false)
  expect(outcomes).toEqual([{ error: new TypeError('no') }, { value: 0 }])
})

test('one that has written, and a query that fails, break the transaction: the others stop where they are', async () => {
  const { send, flights } = server()
  function* writesAndFails(): Command<never> {
    yield* holding('a')
    yield { steps: [write('a', 1)] }
    throw new TypeError('no')
  }
  const first = await sideBySide([writesAndFails, () => count(Array(50).fill('b'), ['b'])], send)
  expect(first.broken).toBe(true)
  expect(first.outcomes).toEqual([{ error: new TypeError('no') }, undefined])
  expect(flights.count).toBeLessThan(10)

  const second = await sideBySide(
    [() => count(['broken'], undefined), () => count(['b'], undefined), () => count(['c'], ['c'])],
    send,
  )
  expect(second.broken).toBe(true)
  expect(second.outcomes).toEqual([{ error: new Error('broken') }, undefined, undefined])
})
