import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payment } from '../http/messages.ts'

const folder = mkdtempSync(join(tmpdir(), 'purveyor-kill-'))
const file = join(folder, 'kill.db')
let child: ChildProcess
let endpoint: string

async function run(): Promise<void> {
  child = fork(new URL('./provider.ts', import.meta.url), [file])
  ;[{ endpoint }] = (await once(child, 'message')) as [{ endpoint: string }]
}

async function kill(): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
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

const start = async (id: number) => {
  const body = { ...payment({ id }), webhook_url: `http://127.0.0.1:${port}/webhook?order=${id}` }
  const answer = await fetch(`${endpoint}/payment`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  return { code: answer.status, ...((await answer.json()) as { payment_url: string }) }
}
const status = async (id: number) => (await fetch(`${endpoint}/payment/${id}`)).json()

beforeAll(async () => {
  await receive()
  await run()
})
afterAll(async () => {
  receiver.close()
  if (child.exitCode === null && child.signalCode === null) await kill()
  rmSync(folder, { recursive: true })
})

test('killed right behind the 201 of a payment start, it answers the same when it is back', async () => {
  const before = endpoint
  for (let id = 1; id <= 5; id++) {
    const started = await start(id)
    expect(started.code).toBe(201)
    await kill()
    await run()
    expect(await status(id)).toEqual({ status: 'pending' })
    expect(await start(id)).toEqual(started)
  }
  expect(new URL(endpoint).pathname).toBe(new URL(before).pathname)
})

test('killed right behind a report, it keeps the status and delivers what it owes', async () => {
  await start(100)
  receiver.close()
  receiver.closeAllConnections()
  child.send('100')
  expect(await once(child, 'message')).toEqual([{ status: 'paid' }, undefined])
  await kill()
  expect(heard).not.toContain(100)

  await receive()
  const told = once(receiver, 'heard')
  await run()
  expect(await status(100)).toEqual({ status: 'paid' })
  await told
  expect(heard).toContain(100)
}, 40_000)
