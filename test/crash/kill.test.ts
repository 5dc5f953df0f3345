import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { json, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listenOn } from '../../src/http/server.ts'
import { withBuiltPackage } from '../built.ts'
import { folderWith } from '../folder.ts'
import { payment } from '../http/messages.ts'
import { sized } from '../long.ts'
import { sharedPostgres } from '../postgres.ts'

const withPackage = await withBuiltPackage()
let databaseUrl: string
let child: ChildProcess
let endpoint: string

async function run(): Promise<void> {
  child = fork(new URL('./provider.ts', import.meta.url), [databaseUrl], {
    execArgv: withPackage,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  ;[{ endpoint }] = (await once(child, 'message')) as [{ endpoint: string }]
}

/** The shop's webhook receiver, which can be away. It remembers the orders it heard of. */
const heard: number[] = []
let receiver: Server
let port: number

async function receive(): Promise<void> {
  receiver = createServer(async (req, res) => {
    heard.push(((await json(req)) as { order_id: number }).order_id)
    res.end()
    receiver.emit('heard')
  })
  port = await listenOn(receiver, port ?? 0, '127.0.0.1')
}

function closeReceiver(): void {
  receiver.close().closeAllConnections()
}

const start = async (id: number, answered?: () => void) => {
  const body = { ...payment({ id }), webhook_url: `http://127.0.0.1:${port}/webhook?order=${id}` }
  const headers = { 'content-type': 'application/json' }
  const call = request(`${endpoint}/payment`, { method: 'POST', headers, agent: false })
  call.end(JSON.stringify(body))
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  answered?.()
  return { code: answer.statusCode, ...((await json(answer)) as { payment_url: string }) }
}
const status = async (id: number) => (await fetch(`${endpoint}/payment/${id}`)).json()

describe.each([
  ['SQLite', async () => `sqlite:${folderWith()}/kill.db`],
  ['PostgreSQL', async () => (await sharedPostgres()).databaseWithTables()],
])('on %s', (_engine, database) => {
  beforeAll(async () => {
    databaseUrl = await database()
    await receive()
    await run()
  })
  afterAll(async () => {
    closeReceiver()
    heard.length = 0
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
  })

  test('killed with the 201 of a payment start, it answers the same when it is back', async () => {
    const before = endpoint
    for (let id = 1; id <= sized(2, 4); id++) {
      const ended = once(child, 'exit')
      const started = await start(id, () => child.kill('SIGKILL'))
      expect(started).toEqual({ code: 201, payment_url: expect.stringContaining('https://psp.example/') })
      await ended
      await run()
      expect(await status(id)).toEqual({ status: 'pending' })
      expect(await start(id)).toEqual(started)
    }
    expect(new URL(endpoint).pathname).toBe(new URL(before).pathname)
  })

  test('killed right behind a report, it keeps the status and delivers what it owes', async () => {
    for (let id = 100; id < 100 + sized(1, 2); id++) {
      await start(id)
      closeReceiver()
      const ended = once(child, 'exit')
      child.send(String(id))
      expect(await text(child.stdout!)).toBe('paid\n')
      expect(await ended).toEqual([null, 'SIGKILL'])
      expect(heard).not.toContain(id)

      await receive()
      await run()
      expect(await status(id)).toEqual({ status: 'paid' })
      while (!heard.includes(id)) await once(receiver, 'heard')
    }
  })
})
