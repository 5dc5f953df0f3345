import { expect, test } from 'vitest'
import { preparesIn, Sessions } from '../../../src/store/postgres/connection.ts'

const settings = { lock_timeout: 300, jit: 'off' }

/** A connection that another process serves than the one named at its start, where statements get such a name. */
function through({ named }: { named: (name: string) => string | undefined }) {
  const sent: unknown[] = []
  return {
    sent,
    processID: 1,
    query: async (query: string | { name: string }) => {
      sent.push(query)
      const name = typeof query === 'string' ? undefined : named(query.name)
      return { rows: name === undefined ? [] : [{ name }] }
    },
  } as never
}

async function looked(prepares: boolean | undefined, named: (name: string) => string | undefined, pid = 2) {
  const sessions = new Sessions(settings)
  await sessions.look(through({ named }), pid, prepares)
  return sessions
}

const itself = (name: string) => name
const another = () => 'PGBOUNCER_7'

test('a connection has its own session: its settings are set once, and names last', async () => {
  const sessions = await looked(undefined, itself, 1)
  expect([sessions.isPooled, sessions.prepares]).toEqual([false, true])
  expect(sessions.once).toBe('set lock_timeout = 300; set jit = off')
  expect(sessions.beginning('read only')).toBe('begin read only')
  expect(sessions.beginning('read only', '1 as one')).toBe('begin read only; select 1 as one')
})

test('behind a pool each transaction has the settings, and names last if the pool gives its own', async () => {
  const forgets = await looked(undefined, itself)
  expect([forgets.isPooled, forgets.prepares, forgets.once]).toEqual([true, false, undefined])
  expect(forgets.beginning('read only', '1 as one')).toBe(
    `begin read only; select set_config('lock_timeout', '300', true), set_config('jit', 'off', true), 1 as one`,
  )
  const remembers = await looked(undefined, another)
  expect([remembers.isPooled, remembers.prepares]).toEqual([true, true])
  expect((await looked(undefined, () => undefined)).prepares).toBe(false)
})

test('the operator knows better: a pool that cannot be seen, and one that lets names last', async () => {
  const unseen = await looked(false, itself, 1)
  expect([unseen.isPooled, unseen.prepares]).toEqual([true, false])
  const lasting = await looked(true, itself)
  expect([lasting.isPooled, lasting.prepares]).toEqual([true, true])
})

test('the address says true, false or nothing about names, and another word is an error', () => {
  const said = (word: string) =>
    preparesIn(`postgres://db/a?sslmode=disable${word && `&prepared_statements=${word}`}`)
  expect([said(''), said('true'), said('false')]).toEqual([undefined, true, false])
  expect(() => said('0')).toThrow(/must be true or false/)
})

const fault = (code: string, routine?: string) =>
  Object.assign(new Error('of the server'), { code, severity: 'ERROR', routine })

test('a statement that is not where it was prepared shows a pool', async () => {
  for (const code of ['26000', '42P05']) {
    const sessions = await looked(undefined, itself, 1)
    sessions.learn(fault('23505'))
    expect([sessions.isPooled, sessions.prepares]).toEqual([false, true])
    sessions.learn(fault(code))
    expect([sessions.isPooled, sessions.prepares]).toEqual([true, false])
  }
})

test('a table that has changed: a new connection plans anew, and behind a pool only a statement without a name', async () => {
  const changed = fault('0A000', 'RevalidateCachedQuery')
  const own = await looked(undefined, itself, 1)
  const pooled = await looked(undefined, another)
  for (const sessions of [own, pooled]) sessions.learn(changed)
  expect([own.prepares, pooled.prepares]).toEqual([true, false])
})
