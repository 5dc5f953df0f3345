import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  alone,
  type Command,
  holding,
  lastly,
  lastlyAsking,
  type Step,
} from '../../../src/stores/sql/query.ts'
import { HeldElsewhere, type Outcome, sideBySide } from '../../../src/stores/sql/side-by-side.ts'

const read = (name: string): Step => ({ sql: 'select', writes: false, values: [name] })
const write = (name: string, value: number): Step => ({ sql: 'update', writes: true, values: [name, value] })

/** A server with numbers by their names, that answers a flight some turns later. Others hold `elsewhere`. */
function server(elsewhere: readonly string[] = []) {
  const numbers = new Map<string, number>()
  const flights: string[][] = []
  const taken: string[] = []
  let flight: string[] | undefined
  const flying = () => {
    if (!flight) {
      flight = []
      flights.push(flight)
      setImmediate(() => {
        flight = undefined
      })
    }
    return flight
  }
  const landed = () => new Promise((resolve) => setImmediate(resolve))
  return {
    numbers,
    flights,
    taken,
    async send(steps: readonly Step[]): Promise<unknown[][]> {
      flying().push(...steps.map(({ sql, values: [name] }) => `${sql} ${name}`))
      const rows = steps.map(({ sql, values: [name, value] }) => {
        if (String(name).startsWith('broken')) return new Error(String(name))
        if (sql === 'update') numbers.set(name as string, value as number)
        return [numbers.get(name as string) ?? 0]
      })
      await landed()
      const fault = rows.find((row) => row instanceof Error)
      if (fault) throw fault
      return rows as unknown[][]
    },
    async take(things: readonly string[], mayWait: boolean): Promise<ReadonlySet<string>> {
      flying().push(...things.map((thing) => `${mayWait ? 'await' : 'hold'} ${thing}`))
      taken.push(...things)
      await landed()
      if (mayWait) return new Set()
      return new Set(things.filter((thing) => elsewhere.includes(thing)))
    },
    begun: async () => {},
    ending: () => void flying().push('commit'),
  }
}

/** Adds one to each name, reading it first. */
function* count(names: readonly string[], held = names): Command<number> {
  yield* holding(...held)
  const rows = (yield { steps: names.map(read) }) as [number][]
  yield* lastly(...names.map((name, index) => write(name, rows[index]![0] + 1)))
  return rows.reduce((sum, [value]) => sum + value, 0)
}

const here = (thing: string) => ({ error: new HeldElsewhere(thing, true) })

test('commands that hold different things share two flights: the commit goes along with the second', async () => {
  const one = server()
  const { outcomes, broken } = await sideBySide(
    ['a', 'b'].map((name) => () => count([name])),
    one,
  )
  expect(broken).toBe(false)
  expect(outcomes).toEqual([{ value: 0 }, { value: 0 }])
  expect(one.flights).toEqual([
    ['hold a', 'hold b', 'select a', 'select b'],
    ['update a', 'update b', 'commit'],
  ])
})

test('one that holds what another command of the transaction holds leaves before it has asked for anything', async () => {
  const one = server()
  const { outcomes } = await sideBySide([() => count(['a']), () => count(['a', 'b'])], one)
  expect(outcomes).toEqual([{ value: 0 }, here('a')])
  expect(one.taken).toEqual(['a'])
  expect(one.numbers).toEqual(new Map([['a', 1]]))
})

test('one that holds what another transaction holds leaves, and the others go on without it', async () => {
  const one = server(['a'])
  const { outcomes, broken } = await sideBySide(
    ['a', 'b'].map((name) => () => count([name])),
    one,
  )
  expect(broken).toBe(false)
  expect(outcomes).toEqual([{ error: new HeldElsewhere('a', false) }, { value: 0 }])
  expect(one.numbers).toEqual(new Map([['b', 1]]))
})

test('a command that waits for the rows of its last queries gets them, or knows what it returns without them', async () => {
  function* take(name: string): Command<unknown[]> {
    yield* alone()
    const [rows] = yield* lastlyAsking(write(name, 1))
    return rows
  }
  const one = server()
  const { outcomes, broken } = await sideBySide([() => take('a')], one)
  expect([outcomes, broken]).toEqual([[{ value: [1] }], false])
  expect(one.flights).toEqual([['update a', 'commit']])
  const lost = await sideBySide([() => take('broken')], server())
  expect(lost).toMatchObject({ outcomes: [{ error: new Error('broken'), value: [] }], broken: true })
})

test('a command that is alone waits for what it holds first, and for nothing after that', async () => {
  const one = server(['a', 'b'])
  function* aloneWith(first: string[], later: string): Command<string> {
    yield* alone(...first)
    yield { steps: [read(later)] }
    yield* holding(later)
    yield* lastly(write(later, 1))
    return 'done'
  }
  const held = await sideBySide([() => aloneWith(['a'], 'b')], one)
  expect(held.outcomes).toEqual([{ error: new HeldElsewhere('b', false) }])
  const free = await sideBySide([() => aloneWith([], 'b')], one)
  expect(free.outcomes).toEqual([{ value: 'done' }])
  expect(one.flights.flat().filter((step) => /hold|await/.test(step))).toEqual([
    'await a',
    'hold b',
    'await b',
  ])
})

test('nothing changes before a hold is sure, also where a command writes at once', async () => {
  const one = server(['a', 'late'])
  function* writesAtOnce(name: string): Command<void> {
    yield* holding(name)
    yield { steps: [write(name, 7)] }
  }
  function* late(): Command<void> {
    yield* holding('b')
    yield { steps: [read('b')] }
    yield* holding('late')
    yield* lastly(write('b', 7))
  }
  const { outcomes } = await sideBySide([() => writesAtOnce('a'), late, () => writesAtOnce('c')], one)
  expect(outcomes).toEqual([
    { error: new HeldElsewhere('a', false) },
    { error: new HeldElsewhere('late', false) },
    { value: undefined },
  ])
  expect(one.numbers).toEqual(new Map([['c', 7]]))
})

test('shared steps come last, each once, in one order', async () => {
  const one = server()
  const inLane = (name: string, value: number): Step => ({ ...write(name, value), shared: `lane ${name}` })
  function* owes(order: string, lane: string): Command<string> {
    yield* holding(order)
    yield* lastly(inLane(lane, 1), write(order, 2))
    return order
  }
  const lanes = [
    ['1', 'z'],
    ['2', 'a'],
    ['3', 'z'],
  ] as const
  const { outcomes } = await sideBySide(
    lanes.map(
      ([order, lane]) =>
        () =>
          owes(order, lane),
    ),
    one,
  )
  expect(outcomes).toEqual(lanes.map(([order]) => ({ value: order })))
  expect(one.flights[1]).toEqual(['update 1', 'update 2', 'update 3', 'update a', 'update z', 'commit'])
})

test('of several faults of a command the first one counts: the others come of it', async () => {
  function* fails(): Command<void> {
    yield* holding('a')
    yield* lastly(read('broken'), { ...read('broken, too'), shared: 'lane' })
  }
  const { outcomes } = await sideBySide([fails], server())
  expect(outcomes).toEqual([{ value: undefined, error: new Error('broken') }])
})

test('a command whose last queries fail has its value too: the commit beside them may be on disk', async () => {
  const { outcomes, broken } = await sideBySide(
    [
      () =>
        (function* (): Command<string> {
          yield* holding('a')
          yield* lastly(read('broken'))
          return 'value'
        })(),
    ],
    server(),
  )
  expect(broken).toBe(true)
  expect(outcomes).toEqual([{ value: 'value', error: new Error('broken') }])
})

test('whatever is held and by whom, each command sees what the others have left', async () => {
  const names = fc.constantFrom('a', 'b', 'c')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uniqueArray(names, { minLength: 1 }), { maxLength: 12 }), async (wanted) => {
      const { numbers, ...one } = server()
      let left = wanted
      while (left.length > 0) {
        const { outcomes, broken } = await sideBySide(
          left.map((some) => () => count(some)),
          one,
        )
        expect(broken).toBe(false)
        const wait = (outcome: Outcome) => outcome && 'error' in outcome
        expect(outcomes.some((outcome) => !wait(outcome))).toBe(true)
        left = left.filter((_, index) => wait(outcomes[index]))
      }
      for (const name of ['a', 'b', 'c'])
        expect(numbers.get(name) ?? 0).toBe(wanted.filter((some) => some.includes(name as 'a')).length)
    }),
  )
})

test('a command that fails before it has written fails alone', async () => {
  function* refuses(): Command<never> {
    yield* holding('a')
    yield { steps: [read('a')] }
    throw new TypeError('no')
  }
  const { outcomes, broken } = await sideBySide([refuses, () => count(['b'])], server())
  expect(broken).toBe(false)
  expect(outcomes).toEqual([{ error: new TypeError('no') }, { value: 0 }])
})

test('one that has written, and a query that fails, break the transaction: the others stop where they are', async () => {
  const one = server()
  function* writesAndFails(): Command<never> {
    yield* holding('a')
    yield { steps: [write('a', 1)] }
    throw new TypeError('no')
  }
  const first = await sideBySide([writesAndFails, () => count(['b'])], one)
  expect(first.broken).toBe(true)
  expect(first.outcomes).toEqual([{ error: new TypeError('no') }, undefined])
  expect(one.flights.flat()).not.toContain('commit')

  const second = await sideBySide([() => count(['broken']), () => count(['c'])], server())
  expect(second.broken).toBe(true)
  expect(second.outcomes).toEqual([{ error: new Error('broken') }, undefined])
})
