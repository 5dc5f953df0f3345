import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileWith } from '../../folder.ts'
import { node, repository } from '../../journey/project.ts'

const clock = join(repository, 'src/cli/dev/moving-clock.ts')

/** A program under the moving clock, which reports what it sees. */
async function program(source: string, env: Record<string, string> = {}) {
  const execArgv = ['--import', clock, '--disable-warning=ExperimentalWarning']
  const options = { execPath: node, execArgv, env: { ...process.env, ...env } }
  const child = fork(fileWith('program.mjs', source), [], options)
  onTestFinished(() => void child.kill('SIGKILL'))
  const said: string[] = []
  child.on('message', (message: { says?: string }) => {
    if (message.says !== undefined) said.push(message.says)
  })
  await expect.poll(() => said[0]).toBe('ready')
  const advance = async (ms: number) => {
    child.send({ advance: ms })
    const [answer] = (await once(child, 'message')) as [object]
    return answer
  }
  return { child, said, advance }
}

const say = 'const say = (says) => process.send({ says: String(says) })\n'
const ready = "say('ready')\nprocess.on('disconnect', () => process.exit())\n"

test('timers that were set go by the clock, in their order, and what was cleared is not called', async () => {
  const { said, advance } = await program(`${say}
import { promisify } from 'node:util'
setTimeout(say, 3_600_000, 'hour')
const minute = setTimeout(() => say('minute'), 60_000)
minute.unref().ref().refresh()
clearTimeout(setTimeout(() => say('cleared'), 1_000))
// As 'using' calls it.
setTimeout(() => say('disposed'), 1_000)[Symbol.dispose]()
let ticks = 0
const ticking = setInterval(() => { say('tick'); if (++ticks === 2) clearInterval(ticking) }, 10_000)
promisify(setTimeout)(90_000, 'promised').then(say)
import { setTimeout as sleep } from 'node:timers/promises'
sleep(91_000, 'slept').then(say)
sleep(60_000, 'aborted', { signal: AbortSignal.abort() }).catch(({ name, code }) => say(name + ' ' + code))
import { AsyncLocalStorage } from 'node:async_hooks'
const context = new AsyncLocalStorage()
context.run('in its context', () => setTimeout(() => say(context.getStore()), 7_200_000))
${ready}`)
  await advance(2 * 3_600_000)
  await expect.poll(() => said.length).toBe(8)
  const order = 'ready, AbortError ABORT_ERR, tick, minute, hour, in its context, promised, slept'
  expect(said.join(', ')).toBe(order)
  await advance(10_000)
  await advance(60_000)
  await expect.poll(() => said.slice(8)).toEqual(['tick'])
})

test('dates go by the clock, and a program that starts again goes on where it was', async () => {
  const source = `${say}${ready}
process.on('message', () => say([Date.now(), new Date().getTime(), Date.parse(Date()), new Date(5).getTime(), new Date() instanceof Date, typeof Date.UTC(2026, 1)]))`
  const { said, advance } = await program(source, { PURVEYOR_CLOCK_OFFSET: '86400000' })
  const before = Date.now()
  await advance(3_600_000)
  await expect.poll(() => said.length).toBe(2)
  const [now, made, text, five, isDate, utc] = said[1]!.split(',')
  for (const at of [now, made, text]) {
    expect(Number(at) - before).toBeGreaterThan(25 * 3_600_000 - 2_000)
    expect(Number(at) - before).toBeLessThan(25 * 3_600_000 + 20_000)
  }
  expect([five, isDate, utc]).toEqual(['5', 'true', 'number'])
})

test('it keeps no program running', async () => {
  const { child, said } = await program(`${say}setTimeout(() => {}, 60_000).unref()\nsay('ready')`)
  expect(said).toEqual(['ready'])
  if (child.exitCode === null) await once(child, 'exit')
  expect(child.exitCode).toBe(0)
})

test('turned back, its time is the machine’s again and its timers go on', async () => {
  const { said, advance } = await program(`${say}
let ticks = 0
const ticking = setInterval(() => {
  say(Date.now() < ${Date.now()} + 3_600_000 ? 'today' : 'tomorrow')
  if (++ticks === 2) clearInterval(ticking)
}, 20_000)
${ready}`)
  for (const ms of [86_400_000, -86_400_000, 20_000]) await advance(ms)
  await expect.poll(() => said).toEqual(['ready', 'tomorrow', 'today'])
})
