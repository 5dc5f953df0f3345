import { join } from 'node:path'
import { StatementSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createProvider, type Provider, type ProviderOptions } from '../../src/index.ts'
import { inspect } from '../../src/provider/inspection.ts'
import { seal } from '../../src/stores/seal.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { movableClock } from '../../src/testing/index.ts'
import { folderWith } from '../folder.ts'
import { payment } from '../http/messages.ts'
import { postJson } from '../http/post.ts'
import { keptLog } from '../listening.ts'
import { opened } from '../stores/opened.ts'
import { processOf } from '../stores/process-of.ts'

const [old, fresh] = ['the old secret of these tests 123', 'the fresh secret of these tests 1']

const changeOf = ({ provider }: { provider: Provider }) => inspect(provider).secretChange()

/** Nodes on one file, with a clock that the test moves. */
function nodes() {
  const file = join(folderWith(), 'store.db')
  const clock = movableClock()
  const running = new Set<Provider>()
  const { lines, logger } = keptLog('info')
  onTestFinished(async () => {
    await Promise.all([...running].map((one) => one.stop()))
  })
  return {
    clock,
    file,
    async open(options: Partial<ProviderOptions>) {
      const provider = createProvider({
        development: true,
        logger,
        store: sqliteStore({ file }),
        clock,
        payments: {
          name: 'psp',
          methods: () => [],
          start: ({ id }, { pushUrl }) => ({
            redirect: `https://psp.example/?push=${encodeURIComponent(pushUrl!)}`,
            reference: id,
          }),
          push: { verify: () => true, read: () => [] },
        },
        ...(options as object),
      })
      running.add(provider)
      const { port } = await provider.listen({ port: 0 })
      return {
        provider,
        /** The status of a new start at any node's endpoint. */
        async start(endpoint: string, id: number) {
          const url = `http://127.0.0.1:${port}${new URL(endpoint).pathname}/payment`
          return (await postJson(url, payment({ id }))).status
        },
        async stop() {
          running.delete(provider)
          await provider.stop()
        },
      }
    },
    codes: () => lines.flatMap(({ code }) => (typeof code === 'string' ? [code] : [])),
  }
}

describe('a secret that is changed', () => {
  test('while nodes run that know the old one only: no call fails, on none of them, at any time', async () => {
    const { open, clock, codes } = nodes()
    const before = await open({ secret: old })
    const one = await before.provider.shops.add('one')
    expect(await before.start(one.endpoint, 1)).toBe(201)

    const between = await open({ secret: { current: fresh, previous: old } })
    const two = await between.provider.shops.add('two')
    for (const node of [before, between]) {
      expect(await node.start(one.endpoint, 2)).toBe(201)
      expect(await node.start(two.endpoint, 2)).toBe(201)
    }
    const change = await changeOf(between)
    expect(change).toMatchObject({ waitsFor: 1 })
    expect(change!.left).toBeGreaterThan(4)
    expect(codes()).toContain('SECRET_WAITS')
    for (let seconds = 0; seconds < 120; seconds += 15) {
      clock.advance(15_000)
      expect((await changeOf(between))!.left).toBe(change!.left)
      expect(await before.start(two.endpoint, 10 + seconds)).toBe(201)
    }

    await before.stop()
    const after = await open({ secret: { current: fresh, previous: [old] } })
    clock.advance(15_000)
    await expect.poll(() => changeOf(between)).toEqual({ left: 0, waitsFor: 0 })
    await expect.poll(codes).toContain('SECRET_CHANGED')
    await Promise.all([after.stop(), between.stop()])
    const last = await open({ secret: fresh })
    expect(await last.start(one.endpoint, 3)).toBe(201)
    expect(await last.start(two.endpoint, 3)).toBe(201)
    expect(await changeOf(last)).toBeUndefined()
  })

  test('a node that died without a word is waited for one minute', async () => {
    const { open, clock, file } = nodes()
    const store = await opened(sqliteStore({ file }))
    await (await open({ secret: old })).stop()
    const died = { id: 'died', opens: ['the old one'], runs: processOf('web-1', clock.now()) }
    await store.noteNode(died, { now: clock.now(), since: 0 })
    const node = await open({ secret: { current: fresh, previous: old } })
    expect(await changeOf(node)).toMatchObject({ waitsFor: 1 })
    clock.advance(45_000)
    expect(await changeOf(node)).toMatchObject({ waitsFor: 1 })
    clock.advance(31_000)
    await expect.poll(() => changeOf(node)).toEqual({ left: 0, waitsFor: 0 })
  })

  test('the port opens first, and texts are sealed anew in small batches; one that is damaged stops none', async () => {
    const { open, clock, file, codes } = nodes()
    const before = await open({ secret: old })
    await before.provider.shops.add('shop')
    await before.stop()
    const store = await opened(sqliteStore({ file }))
    const closing = seal(old)
    for (let number = 0; number < 350; number++) {
      const tokenHash = `hash-${number}`
      const row = { kind: 'push address', key: `shop.adapter-${number}.${tokenHash}` } as const
      const sealedToken = number === 120 ? 'damaged' : closing.close(`token-${number}`, row)
      const address = { tokenHash, sealedToken, now: clock.now() }
      await store.ensurePushAddress('shop', `adapter-${number}`, address)
    }
    const own = sqliteStore({ file })
    const reseal = vi.fn(own.reseal)
    const node = await open({ store: { ...own, reseal } as never, secret: { current: fresh, previous: old } })
    expect((await changeOf(node))!.left).toBeGreaterThan(200)
    const left = async () => {
      clock.advance(100)
      return (await changeOf(node))!.left
    }
    await expect.poll(left).toBe(1)
    const commits = reseal.mock.calls.map(([anew]) => anew.length)
    expect(Math.max(...commits)).toBeLessThanOrEqual(25)
    expect(commits.length).toBeGreaterThan(10)
    expect(codes()).toContain('STORE_UNAVAILABLE')
    expect(codes()).not.toContain('SECRET_CHANGED')
    const after = seal(fresh)
    for (const { kind, key, sealed } of await store.sealed())
      if (!key.endsWith('.hash-120'))
        expect(sealed.startsWith(after.beginning()), `${kind} ${key}`).toBe(true)
  })
})

test('a start makes the same number of queries, however many shops there are', async () => {
  const { open, file, clock } = nodes()
  await (await open({ secret: old })).stop()
  const queriesOf = async () => {
    const prepared = vi.spyOn(StatementSync.prototype, 'all')
    const node = await open({ secret: old })
    const count = prepared.mock.calls.length
    prepared.mockRestore()
    await node.stop()
    return count
  }
  const few = await queriesOf()
  const store = sqliteStore({ file })
  await store.open()
  for (let shop = 0; shop < 300; shop++)
    await store.ensureShop(`shop-${shop}`, { tokenHash: `h${shop}`, sealedToken: 's', now: clock.now() })
  await store.close()
  expect(await queriesOf()).toBe(few)
})
