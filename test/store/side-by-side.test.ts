import { expect, test } from 'vitest'
import { alone, type Command, holding, lastly, lastlyAsking, type Step } from '../../src/store/query.ts'
import {
  type Flights,
  HeldElsewhere,
  MustBeAlone,
  Running,
  sideBySide,
} from '../../src/store/side-by-side.ts'
import { count, read, write } from '../stores/counting.ts'

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
      setImmediate(() => (flight = undefined))
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
    commit: async () => void flying().push('commit'),
  }
}

/** What becomes of commands that share a transaction, and the error that broke it. */
async function run(commands: readonly (() => Command<unknown>)[], flights: Flights) {
  const running = commands.map((command) => new Running(command()))
  const broken = await sideBySide(running, flights).then(
    () => undefined,
    (error: unknown) => error,
  )
  return { outcomes: running.map(({ outcome }) => outcome), broken }
}

const countBoth = ['a', 'b'].map((name) => () => count([name]))
const counted = { value: [0] }

test('commands that hold different things share two flights: the commit goes along with the second', async () => {
  const one = server()
  expect(await run(countBoth, one)).toEqual({ outcomes: [counted, counted], broken: undefined })
  expect(one.flights).toEqual([
    ['hold a', 'hold b', 'select a', 'select b'],
    ['update a', 'update b', 'commit'],
  ])
})

test('one that holds what another transaction holds leaves, and the others go on without it', async () => {
  const one = server(['a'])
  const { outcomes, broken } = await run(countBoth, one)
  expect([outcomes, broken]).toEqual([[{ error: new HeldElsewhere('a') }, counted], undefined])
  expect(one.numbers).toEqual(new Map([['b', 1]]))
})

/** Waits for the rows of its last queries. */
function* take(name: string): Command<unknown[]> {
  yield* alone()
  const [rows] = yield* lastlyAsking(write(name, 1))
  return rows
}

test('a command that waits for the rows of its last queries gets them, or knows what it returns without them', async () => {
  const one = server()
  expect(await run([() => take('a')], one)).toEqual({ outcomes: [{ value: [1] }], broken: undefined })
  expect(one.flights).toEqual([['update a', 'commit']])
  const second = await run([() => take('broken')], server())
  expect(second).toEqual({ outcomes: [{ value: [] }], broken: new Error('broken') })
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
  const held = await run([() => aloneWith(['a'], 'b')], one)
  expect(held.outcomes).toEqual([{ error: new HeldElsewhere('b') }])
  const free = await run([() => aloneWith([], 'b')], one)
  expect(free.outcomes).toEqual([{ value: 'done' }])
  const holds = one.flights.flat().filter((step) => /hold|await/.test(step))
  expect(holds).toEqual(['await a', 'hold b', 'await b'])
})

function* writesAtOnce(name: string): Command<void> {
  yield* holding(name)
  yield { steps: [write(name, 7)] }
}

function* holdsLate(first: string, later: string): Command<void> {
  yield* holding(first)
  yield { steps: [read(first)] }
  yield* holding(later)
  yield* lastly(write(first, 7))
}

test('nothing changes before a hold is sure, also where a command writes at once', async () => {
  const one = server(['a', 'late'])
  for (const [command, outcome] of [
    [() => writesAtOnce('a'), { error: new HeldElsewhere('a') }],
    [() => holdsLate('b', 'late'), { error: new HeldElsewhere('late') }],
    [() => writesAtOnce('c'), { value: undefined }],
  ] as const)
    expect((await run([command], one)).outcomes).toEqual([outcome])
  expect(one.numbers).toEqual(new Map([['c', 7]]))
})

test('one that writes on its way, holds more on its way or waits for its last rows leaves the others, unchanged', async () => {
  const one = server()
  const odd = [() => writesAtOnce('a'), () => holdsLate('b', 'later'), () => take('c')]
  const { outcomes, broken } = await run([...odd, () => count(['d'])], one)
  expect(broken).toBeUndefined()
  expect(outcomes).toEqual([...odd.map(() => ({ error: new MustBeAlone() })), counted])
  expect(one.numbers).toEqual(new Map([['d', 1]]))
})

test('shared steps come last, each once, in one order', async () => {
  const one = server()
  const inLane = (name: string, value: number): Step => ({ ...write(name, value), shared: `lane ${name}` })
  function* owes(order: string, lane: string): Command<string> {
    yield* holding(order)
    yield* lastly(inLane(lane, 1), write(order, 2))
    return order
  }
  const owing = [() => owes('1', 'z'), () => owes('2', 'a'), () => owes('3', 'z')]
  expect((await run(owing, one)).outcomes).toEqual(['1', '2', '3'].map((value) => ({ value })))
  expect(one.flights[1]).toEqual(['update 1', 'update 2', 'update 3', 'update a', 'update z', 'commit'])
})

test('of several faults of a command the first one counts, and its value stays: the commit beside them may be on disk', async () => {
  function* fails(): Command<string> {
    yield* holding('a')
    yield* lastly(read('broken'), { ...read('broken, too'), shared: 'lane' })
    return 'value'
  }
  const first = { outcomes: [{ value: 'value' }], broken: new Error('broken') }
  expect(await run([fails], server())).toEqual(first)
})

test('a command that fails before it has written fails alone', async () => {
  function* refuses(): Command<never> {
    yield* holding('a')
    yield { steps: [read('a')] }
    throw new TypeError('no')
  }
  const outcomes = [{ error: new TypeError('no') }, counted]
  expect(await run([refuses, () => count(['b'])], server())).toEqual({ outcomes, broken: undefined })
})

test('one that has written and fails, and a query that fails, break the transaction', async () => {
  const one = server()
  function* writesAndFails(): Command<never> {
    yield* holding('a')
    yield { steps: [write('a', 1)] }
    throw new TypeError('no')
  }
  expect(await run([writesAndFails], one)).toMatchObject({ broken: new TypeError('no') })
  const second = await run([() => count(['broken']), () => count(['c'])], one)
  expect(second).toEqual({ outcomes: [undefined, undefined], broken: new Error('broken') })
  expect(one.flights.flat()).not.toContain('commit')
})
