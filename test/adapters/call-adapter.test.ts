import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callAdapter, Deadline, DeadlinePassed } from '../../src/adapters/call-adapter.ts'
import { systemWorld } from '../../src/network/system-world.ts'
import { type AdapterCall, unobserved } from '../../src/world.ts'
import { movableWorld } from '../helpers/world.ts'

function setUp() {
  const moved = movableWorld()
  const seen: AdapterCall[] = []
  const blocking: unknown[] = []
  moved.world.observer = {
    ...moved.world.observer,
    blocked: (...by) => void blocking.push(by),
    adapterCall(about) {
      seen.push(about)
      return unobserved.adapterCall(about)
    },
  }
  const deadline = new Deadline(moved.world, 1000)
  const how = { adapter: { name: 'psp' }, call: 'status', shop: 'default', deadline }
  return { ...moved, seen, blocking, deadline, how }
}

test('what an adapter answers at once is there at once', () => {
  const { world, how, seen } = setUp()
  expect(callAdapter(world, how, () => 'answer')).toBe('answer')
  expect(seen).toEqual([{ adapter: 'psp', call: 'status', shop: 'default' }])
})

test('a call that takes too long rejects at its deadline, and its signal is aborted', async () => {
  const { world, how, deadline, move } = setUp()
  const { signal } = deadline
  const called = callAdapter(world, how, () => new Promise<never>(() => {}))
  const reason = Promise.resolve(called).catch((error: unknown) => error)
  await move(999)
  expect(signal.aborted).toBe(false)
  await move(1)
  expect(await reason).toBeInstanceOf(DeadlinePassed)
  expect(signal.aborted).toBe(true)
})

test('what is no real promise is waited for too', async () => {
  const { world, how } = setUp()
  // biome-ignore lint/suspicious/noThenProperty: some libraries answer with such an object
  const thenable = { then: (resolve: (value: string) => void) => resolve('answer') } as Promise<string>
  expect(await callAdapter(world, how, () => thenable)).toBe('answer')
})

test('any adapter that blocks the event loop is named, also one that fails', () => {
  const { blocking, how, lines, world } = setUp()
  let now = 0
  world.now = () => now
  const block = () => {
    now += 60
    throw new Error('a fault')
  }
  expect(() => callAdapter(world, how, block)).toThrow('a fault')
  expect(lines.map(({ fields, message }) => [fields, message])).toEqual([
    [{ adapter: 'psp', ms: 60 }, 'an adapter blocked the event loop'],
  ])
  expect(blocking).toEqual([['psp', 60]])
})

test('an adapter is not blamed where the machine is busy: its own CPU time counts', () => {
  const { blocking, how, lines, world } = setUp()
  let [now, cpu] = [0, 0]
  world.now = () => now
  world.cpu = () => cpu
  const callFor = (ms: number, cpuMs: number) =>
    callAdapter(world, how, () => {
      now += ms
      cpu += cpuMs
    })
  void callFor(400, 3)
  expect(blocking).toEqual([])
  void callFor(400, 60)
  void callFor(40, 40)
  expect(blocking).toEqual([['psp', 800]])
  expect(lines.map(({ fields, message }) => [fields, message])).toEqual([
    [
      { adapter: 'psp', ms: 400, cpuMs: 3 },
      expect.stringMatching(/^the event loop was blocked during a call of an adapter that used little CPU/),
    ],
    [{ adapter: 'psp', ms: 400, cpuMs: 60 }, 'an adapter blocked the event loop'],
  ])
})

test('the CPU time of a thread is read for real', () => {
  const { cpu } = systemWorld(movableWorld().world.log, { loopback: false })
  const before = cpu!()
  const until = performance.now() + 20
  while (performance.now() < until);
  expect(cpu!()).toBeGreaterThan(before)
})

const src = new URL('../../src/', import.meta.url).pathname
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(join(src, file), 'utf8') }))

test('there is one way to call an adapter', () => {
  const callers = sources.filter(({ text }) => text.includes('.adapterCall(')).map(({ file }) => file)
  expect(callers).toEqual(['adapters/call-adapter.ts'])
})

test('a use case takes the parts that it uses, and not the whole of a provider', () => {
  const doors = ['shops/manage-shops.ts']
  const whole = /: Workings\b/
  const taking = sources.filter(
    ({ file, text }) =>
      /^(?:shops|rates|payments|webhooks|observability|cli)\//.test(file) && whole.test(text),
  )
  expect(taking.map(({ file }) => file).filter((file) => !doors.includes(file))).toEqual([])
})
