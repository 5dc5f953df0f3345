import { execFile } from 'node:child_process'
import { createServer, request } from 'node:http'
import { promisify } from 'node:util'
import { listenOn } from '../../../src/http/server.ts'
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts'
import { sourceMain } from './processes.ts'
import { getOf, openTarget } from './target.ts'

/** The headers of a browser for a call by another website, and for a name that points to this machine. */
const foreign: Record<string, string>[] = [
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  { host: 'evil.example', 'sec-fetch-site': 'same-origin' },
  { host: '127.0.0.1.evil.example' },
]
const addresses = [
  ['GET', '/api/en/products.json'],
  ['POST', '/api/en/products.json'],
  ['DELETE', '/api/en/products/101.json'],
  ['OPTIONS', '/api/external_services.json'],
  ['POST', '/API/app_subscriptions.json'],
  ['GET', '/services'],
  ['GET', '/events'],
  ['POST', '/switches'],
  ['POST', '/clock'],
  ['POST', '/webhooks/orders/1001'],
] as const

/**
 * Tries what websites in a developer's browser, and the endpoints that a developer looks at, could do to that developer. `main` is the command
 * line: the source by default.
 */
export async function tryDeveloper(main = sourceMain) {
  const violations: string[] = []
  const calls = await trySandbox(violations)
  const printed = await tryTerminal(main, violations)
  await tryMounted(violations)
  return { calls, printed, violations }
}

async function trySandbox(violations: string[]): Promise<number> {
  const [sandbox, other] = [createSandbox(), createSandbox()]
  await Promise.all([sandbox.listen(), other.listen()])
  const secrets = [sandbox, other].flatMap(({ api: { key, secret, appSecret } }) => [key, secret, appSecret])
  if (new Set(secrets).size < 6 || secrets.some((text) => text.length !== 32))
    violations.push('the credentials of two sandboxes are not random')
  let calls = 0
  for (const headers of foreign) {
    for (const [method, path] of addresses) {
      calls++
      const status = await statusOf(sandbox, method, path, headers)
      if (status !== 403) violations.push(`${method} ${path} with ${JSON.stringify(headers)}: ${status}`)
    }
  }
  if (sandbox.calls.length > 0) violations.push(`${sandbox.calls.length} calls of strangers reached the API`)
  const own = await statusOf(sandbox, 'GET', '/api/en/products.json', {})
  if (own !== 200) violations.push(`a program on this machine is answered ${own}`)
  await Promise.all([sandbox.close(), other.close()])
  return calls
}

/** Credentials are sent along: a browser that knows them does so by itself. */
function statusOf({ url, api }: Sandbox, method: string, path: string, headers: Record<string, string>) {
  const authorization = `Basic ${Buffer.from(`${api.key}:${api.secret}`).toString('base64')}`
  const json = { 'content-type': 'application/json', authorization }
  return new Promise<number | undefined>((resolve, reject) => {
    const out = request(url + path, { method, headers: { ...json, ...headers } }, (answer) => {
      answer.destroy()
      resolve(answer.statusCode)
    })
    out.on('error', reject)
    out.end(method === 'POST' ? '{"product":{"title":"Planted"}}' : undefined)
  })
}

const steering = '\u001b[2J\nok  all is well\rok\b\u009b31m\u202e\u2066\u200b\u007f'
const steers = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^ok {2}all is well/mu

/** Looks with commands at an endpoint whose answers clear the screen, write lines of their own and run backwards. */
async function tryTerminal(main: string, violations: string[]): Promise<number> {
  const server = createServer((req, res) => {
    req.resume()
    const title = `Courier ${steering}`
    const method = { id: title, title, price_incl: steering, price_excl: 1, tax_rate: 0.21 }
    const name = req.url?.split('/').at(-1) ?? ''
    const answer = /_methods$/.test(name) ? { [name]: [method] } : { status: steering }
    res.writeHead(req.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
    res.end(JSON.stringify(answer))
  })
  const endpoint = `http://127.0.0.1:${await listenOn(server, 0, '127.0.0.1')}/e/token`
  const cases = ['--case', 'shipment-methods-price-incl', 'payment-methods-price-incl']
  let printed = 0
  for (const args of [
    ['check', endpoint, '--read-only', ...cases],
    ['check', endpoint, '--read-only', ...cases, '--json'],
    ['simulate', 'order', '--endpoint', endpoint],
  ]) {
    const text = await outputOf([main, ...args])
    printed += text.length
    const shows = args[0] !== 'check' || text.includes('\\u')
    if (!shows) violations.push(`check prints nothing of what was answered: ${text}`)
    if (steers.test(text)) violations.push(`${args[0]} prints what steers a terminal`)
  }
  server.close().closeAllConnections()
  return printed
}

async function outputOf(args: string[]): Promise<string> {
  const running = promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_ENV: '' } })
  // A violation ends it with exit code 1.
  const { stdout, stderr } = await running.catch((error: { stdout: string; stderr: string }) => error)
  return stdout + stderr
}

/** The router, mounted in an app, says nothing of the app's other hosts. */
async function tryMounted(violations: string[]): Promise<void> {
  await using target = await openTarget()
  for (const path of ['/e/unknown/payment/1', '/p/unknown', '/health/live', '/nowhere']) {
    const { headers } = await target.call(getOf(path))
    if ('strict-transport-security' in headers) violations.push(`${path} speaks for the hosts of the app`)
  }
}
