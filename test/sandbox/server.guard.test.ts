import { once } from 'node:events'
import { statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/index.ts'
import { folderWith } from '../folder.ts'
import { postJson } from '../http/post.ts'
import { clientOf, openShop } from '../platform/sandbox.ts'
import { shopWith } from './provider.ts'

interface Sent {
  method?: string
  /** A list has names and values in turn. */
  headers?: Record<string, string> | string[]
  body?: string
}

/** A call with exactly these headers, as a browser or a program sends it. */
async function send(url: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const [res] = await once(request(url, { method, headers }).end(body), 'response')
  return { status: res.statusCode as number, headers: res.headers, text: await text(res) }
}

const basic = ({ key, secret }: { key: string; secret: string }) =>
  `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`

/** How a browser marks a call that the page of another website makes. */
const foreign: [string, Record<string, string>][] = [
  ['fetch', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
  ['a browser without fetch metadata', { origin: 'https://evil.example' }],
  ['a page in a sandboxed frame', { origin: 'null' }],
  ['an image', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
  ['another port', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
  ['a frame', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
  ['a name that was rebound', { host: 'evil.example', 'sec-fetch-site': 'same-origin' }],
  ['a name that begins like ours', { host: '127.0.0.1.evil.example' }],
  ['a user before a name', { host: '127.0.0.1@evil.example' }],
  ['a tunnel that rewrites the host', { 'x-forwarded-host': 'abc.tunnel.example' }],
  ['a tunnel of another kind', { 'ngrok-trace-id': '1' }],
]
const link = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

describe('other websites reach nothing of the sandbox', () => {
  test.each(foreign)('%s: refused everywhere, with and without credentials', async (_name, headers) => {
    const { sandbox } = await shopWith()
    const { id } = await sandbox.checkout().placeOrder()
    const calls = sandbox.calls.length
    const { api } = sandbox
    const json = { 'content-type': 'application/json' }
    const body = '{"product":{"title":"Planted"}}'
    for (const [method, path, own] of [
      ['GET', '/api/en/products.json', {}],
      ['GET', '/api/en/products.json', { authorization: basic(api) }],
      ['POST', '/api/en/products.json', { authorization: basic(api), ...json }],
      ['POST', '/API/en/products.json', { authorization: basic(api), ...json }],
      ['OPTIONS', '/api/en/products.json', { 'access-control-request-method': 'POST' }],
      ['GET', '/services', {}],
      ['GET', '/events', {}],
      ['POST', '/switches', json],
      ['POST', `/webhooks/orders/${id}`, json],
      ['GET', `/orders/${id}/return`, {}],
    ] as const) {
      const sent = { method, headers: { ...own, ...headers }, ...(method === 'POST' && { body }) }
      const answer = await send(sandbox.url + path, sent)
      expect([path, answer.status]).toEqual([path, 403])
      expect(answer.text).toContain('SANDBOX_CALLER_REFUSED')
      expect(answer.text).not.toContain(api.key)
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
    // No credential was looked at, no call was counted, nothing happened.
    expect(sandbox.calls).toHaveLength(calls)
    expect((await send(`${api.baseUrl}/en/products.json`)).status).toBe(401)
    const own = { headers: { authorization: basic(api) } }
    const { headers: limits } = await send(`${api.baseUrl}/en/products.json`, own)
    expect(limits['x-ratelimit-remaining']).toMatch(/^299\//)
  })

  test('two Host headers are refused', async () => {
    const sandbox = await openShop()
    const headers = ['Host', new URL(sandbox.url).host, 'Host', 'evil.example']
    expect((await send(`${sandbox.url}/services`, { headers })).status).toBe(403)
  })

  test('the API says so in its own error body, and programs that read JSON in JSON', async () => {
    const sandbox = await openShop()
    const headers = { origin: 'https://evil.example', accept: 'application/json' }
    const api = await send(`${sandbox.api.baseUrl}/en/products.json`, { headers })
    expect(JSON.parse(api.text).error).toMatchObject({
      code: 403,
      method: 'GET',
      request: '/api/en/products.json',
      message: expect.stringContaining(`Call it from this machine, as ${sandbox.url}`),
    })
    expect(JSON.parse((await send(`${sandbox.url}/switches`, { headers })).text).error).toContain('Origin')
  })
})

describe('credentials', () => {
  test('are random for every sandbox, 32 characters each, and only they open the API', async () => {
    const [one, other] = [await openShop(), await openShop()]
    const { baseUrl: _, ...drawn } = one.api
    const all = [...Object.values(drawn), other.api.key, other.api.secret, other.api.appSecret]
    expect(new Set(all).size).toBe(6)
    for (const text of all) expect(text).toMatch(/^[\da-f]{32}$/)
    const call = (sandbox: typeof one, as: { key: string; secret: string }) =>
      send(`${sandbox.api.baseUrl}/en/products.json`, { headers: { authorization: basic(as) } })
    expect((await call(one, one.api)).status).toBe(200)
    const guessed = { key: 'sandbox-key', secret: 'sandbox-secret' }
    for (const wrong of [other.api, guessed, { ...one.api, secret: '' }])
      expect((await call(one, wrong)).status).toBe(401)
  })

  test('a file keeps them, for its owner alone; code may give others', async () => {
    const file = join(folderWith(), 'shop.db')
    const opened = async (options = {}) => {
      const sandbox = createSandbox({ file, ...options })
      await sandbox.listen()
      const { baseUrl: _, ...credentials } = sandbox.api
      const mode = statSync(file).mode & 0o777
      await sandbox.close()
      return { credentials, mode }
    }
    const first = await opened()
    expect(first.mode).toBe(0o600)
    expect((await opened()).credentials).toEqual(first.credentials)
    expect((await opened({ key: 'mine' })).credentials).toEqual({ ...first.credentials, key: 'mine' })
    expect((await opened()).credentials).toEqual(first.credentials)
  })
})

describe('who has business with the sandbox gets through', () => {
  test('programs, under every name of this machine', async () => {
    const sandbox = await openShop()
    const { port } = new URL(sandbox.url)
    const authorization = basic(sandbox.api)
    const withPort = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`)
    for (const host of [...withPort, 'LOCALHOST', 'shop.localhost']) {
      const headers = { host, authorization }
      const answer = await send(`${sandbox.api.baseUrl}/en/products.json`, { headers })
      expect([host, answer.status]).toEqual([host, 200])
    }
    const { client } = clientOf(sandbox)
    expect(await client.resource('products').count()).toBe(3)
  })

  test('its own pages, and an address that was typed in', async () => {
    const sandbox = await openShop()
    const own = { origin: sandbox.url, 'sec-fetch-site': 'same-origin' }
    expect((await postJson(`${sandbox.url}/switches`, { cutOff: '3s' }, own)).status).toBe(200)
    const typed = { 'sec-fetch-site': 'none', ...link }
    expect((await send(`${sandbox.url}/services`, { headers: typed })).status).toBe(200)
  })

  test('a payment service calls webhook_url, and sends the customer back, from another port or website', async () => {
    const { sandbox, asked } = await shopWith()
    const { id } = await sandbox.checkout().placeOrder()
    const webhook = await send(`${sandbox.url}/webhooks/orders/${id}`, { method: 'POST', body: '{}' })
    expect(webhook.status).toBe(200)
    for (const site of ['same-site', 'cross-site']) {
      const before = asked.length
      const headers = { 'sec-fetch-site': site, ...link }
      const back = await send(`${sandbox.url}/orders/${id}/return`, { headers })
      expect([back.status, back.headers.location]).toEqual([303, `/orders/${id}`])
      await expect.poll(() => asked.length).toBeGreaterThan(before)
      // A link leads to pages, and neither into the API nor to a webhook.
      for (const path of ['/api/en/products.json', `/webhooks/orders/${id}`]) {
        const known = { ...headers, authorization: basic(sandbox.api) }
        const answer = await send(sandbox.url + path, { headers: known })
        expect([path, answer.status]).toEqual([path, 403])
      }
    }
  })
})
