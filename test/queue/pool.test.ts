import { expect, test } from 'vitest'
import type { PoolClaim } from '../../src/queue/lanes.ts'
import { Pool, type PoolOptions } from '../../src/queue/pool.ts'
import { movableWorld } from '../helpers/world.ts'

interface Item {
  lane: string
  number: number
  full?: boolean
}

/** A pool whose work ends when the test says so, and what is due for it. */
function poolOf(options: Partial<PoolOptions<Item>> = {}) {
  const { world, move, settle, lines } = movableWorld()
  const due: Item[] = []
  const claims: PoolClaim[] = []
  const renewed: number[][] = []
  const open = new Map<number, { over: () => void; end: () => void }>()
  const pool = new Pool<Item>(world, {
    ...{ atOnce: 4, perLane: 2, lease: 15_000 },
    async claim(claim) {
      claims.push(claim)
      return due.splice(0, claim.limit)
    },
    async renew(items) {
      renewed.push(items.map(({ number }) => number))
    },
    async work({ number }, over) {
      await new Promise<void>((resolve) => open.set(number, { over, end: resolve }))
      open.delete(number)
    },
    laneOf: ({ lane }) => lane,
    isFull: ({ full = false }) => full,
    ...options,
  })
  const add = (...numbers: number[]) => {
    for (const number of numbers) due.push({ lane: `lane ${number}`, number })
  }
  const end = async (...numbers: number[]) => {
    for (const number of numbers) open.get(number)!.end()
    await settle()
  }
  const limits = () => claims.map(({ limit }) => limit)
  return { pool, world, move, settle, lines, due, claims, limits, renewed, open, add, end }
}

test('so many are worked on at a time, and each that ends makes room for the next', async () => {
  const { pool, add, end, open, limits } = poolOf()
  add(1, 2, 3, 4, 5, 6)
  await pool.wake()
  expect([...open.keys()]).toEqual([1, 2, 3, 4])
  await end(2)
  expect([...open.keys()]).toEqual([1, 3, 4, 5])
  // As many as were wanted: there may be more.
  await end(1, 3)
  expect([...open.keys()]).toEqual([4, 5, 6])
  expect(limits()).toEqual([4, 1, 1, 1])
  const stopped = pool.stop()
  await end(4, 5, 6)
  await stopped
})

test('a wake-up at the end of a claim begins another one', async () => {
  const { pool, add, claims, open } = poolOf()
  await pool.wake().then(() => {
    add(1)
    return pool.wake()
  })
  expect([claims.length, [...open.keys()]]).toEqual([2, [1]])
})

test.each([1, 2, 3, 4, 5])('a wake-up %i turns after the answer of a claim is not lost', async (turns) => {
  const { pool, add, open } = poolOf({
    claim: () => {
      const found = Promise.resolve(due.splice(0))
      let turn = found.then(() => {})
      for (let left = turns; left > 1; left--) turn = turn.then(() => {})
      if (!isLate) void turn.then(late)
      return found
    },
  })
  const due: Item[] = []
  let isLate = false
  const late = () => {
    isLate = true
    due.push({ lane: 'late', number: 7 })
    void pool.wake()
  }
  add(1)
  await pool.wake()
  await new Promise(setImmediate)
  expect([...open.keys()]).toEqual([7])
})

test('work that gives its place back early leaves its lane too, before it has ended', async () => {
  const { pool, due, open, limits, settle } = poolOf({ atOnce: 9 })
  due.push({ lane: 'a', number: 1 }, { lane: 'a', number: 2 })
  await pool.wake()
  expect(limits()).toEqual([9])
  open.get(1)!.over()
  await settle()
  // Half of the lane is free.
  expect(limits()).toEqual([9, 8])
  open.get(1)!.over()
  open.get(1)!.end()
  await settle()
  expect(limits()).toEqual([9, 8])
})

test('a lane that the store calls full is filled again once half of its items have ended', async () => {
  const { pool, due, end, limits } = poolOf({ perLane: 4, atOnce: 9 })
  due.push(...[1, 2, 3].map((number) => ({ lane: 'a', number, full: true })))
  await pool.wake()
  expect(pool.fullLanes).toEqual([])
  expect(limits()).toEqual([9])
  await end(1)
  expect(limits()).toEqual([9, 7])
  // The second claim has found nothing more.
  await end(2, 3)
  expect(limits()).toEqual([9, 7])
})

test('what is claimed ahead takes each place that is free, in the order of the claims', async () => {
  const { pool, add, end, open, limits } = poolOf({ atOnce: 2, ahead: 3, fewest: 2 })
  add(1, 2, 3, 4, 5, 6, 7)
  await pool.wake()
  expect([limits(), [...open.keys()]]).toEqual([[5], [1, 2]])
  await end(2)
  expect([limits(), [...open.keys()]]).toEqual([[5], [1, 3]])
  await end(3)
  expect(limits()).toEqual([5, 2])
  expect([...open.keys()]).toEqual([1, 4])
})

test('fewer places than are worth a claim wait 50 ms for others', async () => {
  const { pool, add, end, move, limits } = poolOf({ fewest: 2 })
  add(1, 2, 3, 4, 5)
  await pool.wake()
  await end(1)
  await pool.wake()
  await move(49)
  expect(limits()).toEqual([4])
  await move(1)
  expect(limits()).toEqual([4, 1])
})

test('work that takes long gives its place to others, up to a number, and has its lease renewed', async () => {
  const { pool, add, move, open, renewed } = poolOf({ slow: { after: 2_000, atOnce: 3 } })
  add(1, 2, 3, 4, 5, 6, 7, 8)
  await pool.wake()
  expect([open.size, pool.isIdle]).toEqual([4, false])
  await move(2_000)
  expect([open.size, pool.isIdle]).toEqual([7, false])
  await move(2_999)
  expect([open.size, pool.isIdle, renewed]).toEqual([7, true, []])
  await move(1)
  expect(renewed).toEqual([[1, 2, 3, 4, 5, 6, 7]])
})

test('a claim that fails rejects, and the next wake-up claims again', async () => {
  let isAway = true
  const { pool, world } = poolOf({ claim: async () => (isAway ? Promise.reject(new Error('away')) : []) })
  await expect(pool.wake()).rejects.toThrow('away')
  isAway = false
  await pool.wake()
  await pool.idle()
  expect(world.now()).toBeGreaterThan(0)
})

test('leases that cannot be renewed are logged, and tried again', async () => {
  const { pool, add, move, lines } = poolOf({ renew: () => Promise.reject(new Error('away')) })
  add(1)
  await pool.wake()
  await move(10_000)
  expect(lines.map(({ message }) => message)).toEqual(Array(2).fill('leases were not renewed'))
})

test('what is left to others is neither renewed nor waited for', async () => {
  const { pool, add, move, renewed, open } = poolOf({ atOnce: 1, ahead: 1 })
  add(1, 2)
  await pool.wake()
  pool.leave()
  await pool.stop()
  await move(20_000)
  expect([renewed, [...open.keys()]]).toEqual([[], [1]])
})
