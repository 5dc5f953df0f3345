import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { releaseOf } from '../../../src/stores/copy/release.ts'
import type { Side } from '../../../src/stores/copy/side.ts'
import { type SharedPostgres, sharedPostgres } from '../../postgres.ts'
import { copied, filledStore, folder, removeFilled, sideOf, withSide } from './copying.ts'

let server: SharedPostgres

beforeAll(async () => {
  server = await sharedPostgres()
}, 600_000)
afterAll(async () => {
  removeFilled()
})

const newFile = () => `sqlite:${join(folder(), 'copy.db')}`
const marksIn = (address: string) =>
  withSide(address, (side) =>
    side.all(
      sql<{ role: string; other: string; state: string }>`select role, other, state from store_copies`,
    ),
  )

async function filledServer(): Promise<string> {
  const url = await server.database()
  await copied(await filledStore(), url)
  return url
}

const sources = [
  ['SQLite', filledStore],
  ['PostgreSQL', filledServer],
] as const

/** A side that runs `first` before its first call of `name`. */
function interrupted(side: Side, name: keyof Side, first: () => Promise<unknown>): Side {
  let once = true
  return new Proxy(side, {
    get(target, asked: keyof Side) {
      const member = target[asked]
      if (typeof member !== 'function') return member
      const call = member.bind(target) as (...args: unknown[]) => unknown
      if (asked !== name) return call
      return async (...args: unknown[]) => {
        if (once) {
          once = false
          await first()
        }
        return call(...args)
      }
    },
  })
}

describe.each(sources)('a source in %s', (_engine, makeSource) => {
  test('is copied to one target, also if two copies begin at once', async () => {
    const from = await makeSource()
    const targets = [newFile(), newFile()] as const
    const both = await Promise.allSettled(targets.map((to) => copied(from, to)))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const good = both.findIndex(({ status }) => status === 'fulfilled')
    expect(both[1 - good]).toMatchObject({
      reason: {
        code: 'COPY_REFUSED',
        message: expect.stringContaining(`is being copied to ${targets[good]}`),
      },
    })
    expect(await marksIn(from)).toContainEqual({ role: 'source', other: targets[good], state: 'moved' })
  })

  test.each(['migrate', 'add', 'settle'] as const)(
    'refuses a second target while a first copy is at its step %s, and names the first',
    async (step) => {
      const [from, first, second] = [await makeSource(), newFile(), newFile()]
      const slow = interrupted(sideOf(first), step, async () => {
        const refused = copied(from, second)
        await expect(refused).rejects.toMatchObject({ code: 'COPY_REFUSED' })
        // Before that the source has no mark yet.
        if (step === 'migrate') return
        await expect(refused).rejects.toThrow(
          `The source is being copied to ${first}. Go on with that target, or give that copy up: purveyor db release`,
        )
      })
      await copied(from, slow)
      expect(existsSync(second.slice('sqlite:'.length))).toBe(false)
    },
  )

  test('is not released while a copy of it runs, and released once that has ended', async () => {
    const [from, to] = [await makeSource(), newFile()]
    const release = async (target: string | undefined) => {
      const sides = [sideOf(from), ...(target === undefined ? [] : [sideOf(target)])]
      try {
        await (await releaseOf({ from: sides[0]!, to: sides[1] })).run()
      } finally {
        await Promise.all(sides.map((side) => side.close()))
      }
    }
    const slow = interrupted(sideOf(to), 'settle', async () => {
      for (const target of [undefined, to])
        await expect(release(target)).rejects.toThrow(
          `runs at this moment: it is being copied to ${to}. End it first`,
        )
      throw new Error('stopped')
    })
    await expect(copied(from, slow)).rejects.toThrow('stopped')
    await release(to)
    expect((await marksIn(from)).filter(({ role }) => role === 'source')).toEqual([])
    await expect(copied(from, to)).rejects.toThrow('(retired). Name an empty database')
  })

  test('is not marked as moved once its mark is gone', async () => {
    for (const isOfTarget of [false, true]) {
      const [from, to] = [await makeSource(), newFile()]
      // As a release that does not know of locks.
      const slow = interrupted(sideOf(to), 'settle', () =>
        withSide(isOfTarget ? to : from, (side) =>
          side.commit([
            isOfTarget
              ? sql`update store_copies set state = 'retired'`
              : sql`delete from store_copies where role = 'source'`,
          ]),
        ),
      )
      await expect(copied(from, slow)).rejects.toThrow(
        'given up by purveyor db release while it ran, and the source is not marked as moved',
      )
      expect((await marksIn(from)).some(({ state }) => state === 'moved')).toBe(false)
    }
  })

  test('leaves no lock behind', async () => {
    const [from, to] = [await makeSource(), newFile()]
    await copied(from, to)
    for (const address of [from, to])
      expect(existsSync(`${address.slice('sqlite:'.length)}-copying`)).toBe(false)
  })
})

test('one target takes rows of one source at a time', async () => {
  const to = await server.database()
  const [one, other] = [await filledStore(), await filledStore()]
  const both = await Promise.allSettled([copied(one, to), copied(other, to)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await marksIn(to)).map(({ state }) => state)).toEqual(['finished'])
})
