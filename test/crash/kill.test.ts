import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBuiltPackage } from '../built.ts'
import { folderWith } from '../folder.ts'
import { payment } from '../http/messages.ts'
import { sized } from '../long.ts'
import { type SharedPostgres, sharedPostgres } from '../postgres.ts'

const folder = folderWith()
const withPackage = await withBuiltPackage()
let server: SharedPostgres
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
  receiver = createServer((req, res) => {
    let body = ''
    req.on('data', (chunk) => {
      body += chunk
    })
    req.on('end', () => {
      heard.push(JSON.parse(body).order_id)
      res.end()
      receiver.emit('heard')
    })
  })
  receiver.listen(port ?? 0, '127.0.0.1')
  await once(receiver, 'listening')
  port = (receiver.address() as AddressInfo).port
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

beforeAll(async () => {
  server = await sharedPostgres()
})

describe.each([
  ['SQLite', async () => `sqlite:${join(folder, 'kill.db')}`],
  ['PostgreSQL', () => server.databaseWithTables()],
])('on %s', (_engine, database) => {
  beforeAll(async () => {
    databaseUrl = await database()
    await receive()
    await run()
  })
  afterAll(async () => {
    receiver.close()
    receiver.closeAllConnections()
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
      receiver.close()
      receiver.closeAllConnections()
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
