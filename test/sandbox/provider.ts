import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished, vi } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../src/sandbox/index.ts'
import { serveOrigin } from '../serve-origin.ts'

export interface Given {
  status?: number
  body?: unknown
  type?: string
  location?: string
}

export interface Asked {
  method: string
  path: string
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: what the shop sent, looked into freely
  body: any
}

export const method = { id: 'm', title: 'Method', price_incl: 6.05, price_excl: 5, tax_rate: 0.21 }

const deadlineOf = AbortSignal.timeout.bind(AbortSignal)
let passed = new AbortController()

/** Lets the deadlines of all calls that are under way pass now. Without it they take the time they name. */
function giveUp(): void {
  passed.abort(new DOMException('the time is over', 'TimeoutError'))
  passed = new AbortController()
}

type Answer = (asked: Asked) => Given | undefined

/** Answers the calls for this path like this, and all others as they should be. */
export const at =
  (path: string, given: Given): Answer =>
  (asked) =>
    asked.path === path ? given : undefined

/** Answers that the status of each payment is this one, and all other calls as they should be. */
export const saying =
  (status: () => string): Answer =>
  ({ method }) =>
    method === 'GET' ? { status: 200, body: { status: status() } } : undefined

/** A shop beside a provider whose answers the test sets, without the framework. */
export async function shopWith(answer: Answer = () => undefined, options: Partial<SandboxOptions> = {}) {
  const asked: Asked[] = []
  const deadlines = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((ms) => AbortSignal.any([deadlineOf(ms), passed.signal]))
  const origin = await serveOrigin(async (req, res) => {
    const { method = '', url = '', headers } = req
    const sent = await text(req)
    const call = { method, path: url.replace('/e/token', ''), headers, body: sent && JSON.parse(sent) }
    asked.push(call)
    const given = answer(call) ?? standard(call)
    if (given === hang) return giveUp()
    const { status = 201, body = '', type = 'application/json', location } = given
    res.writeHead(status, { 'content-type': type, ...(location && { location }) })
    res.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  const endpoint = `${origin}/e/token/`
  const sandbox = createSandbox({ endpoint, timeout: 60_000, ...options })
  await sandbox.listen()
  onTestFinished(async () => {
    deadlines.mockRestore()
    await sandbox.close()
  })
  return { sandbox, endpoint, asked, last: () => sandbox.calls.at(-1)! }
}

/** Never answers. The shop's time for the call is over once the call has arrived. */
export const hang: Given = {}

/** The answers of a provider without faults. */
function standard({ method: verb, path }: Asked): Given {
  if (path === '/shipment_methods') return { body: { shipment_methods: [method] } }
  if (path === '/payment_methods')
    return { body: { payment_methods: [{ ...method, id: 'card', title: 'Card' }] } }
  if (verb === 'GET') return { status: 200, body: { status: 'pending' } }
  return { body: { payment_url: 'https://psp.example/pay' } }
}
