import { createServer } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import express from 'express'
import { pino } from 'pino'
import { listenOn } from '../../../src/http/server.ts'
import { createProvider, memoryStore, type Provider, type ProviderOptions } from '../../../src/index.ts'
import { checkout, payment } from '../../http/messages.ts'
import { postJson } from '../../http/post.ts'
import { lastingStore, production } from '../../production-store.ts'
import { real, trial } from '../../provider/trial-adapters.ts'
import { pathOf } from './target.ts'

const live = 'https://checkout.example.com'

/** A provider whose environment says nothing but this. It is read while the provider is made. */
function made(options: Partial<ProviderOptions>, env: Record<string, string> = {}): Provider {
  const names = ['NODE_ENV', 'PURVEYOR_PUBLIC_URL', 'PURVEYOR_TUNNEL_URL']
  const before = names.map((name) => [name, process.env[name]] as const)
  for (const name of names) delete process.env[name]
  Object.assign(process.env, env)
  try {
    return createProvider({
      ...{ store: lastingStore(), logger: pino({ level: 'silent' }), secret: production.secret, port: 0 },
      rates: { name: 'table', quote: () => [] },
      payments: [trial, real],
      ...options,
    })
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

const refuses = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    () => true,
  )
const isRefused = (make: () => unknown) => refuses((async () => make())())

/** Sends these lines as they are. Resolves with the status, and with all that was answered. */
async function send(port: number, lines: string[]): Promise<{ status: number; answer: string }> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)
  const answer = await text(socket)
  return { status: Number(answer.split(' ')[1]), answer }
}

/** Strangers look for a provider that is open as in development: at a public address, and behind a proxy on its machine. */
export async function tryDevelopment() {
  const violations: string[] = []
  const publicly = await tryPublicly(violations)
  const onMachine = await tryProxied(violations)
  if (!(await isRefused(() => made({ development: true, publicUrl: live }))))
    violations.push('development: true stands beside a public address')
  await tryUnfit(violations)
  const everywhere = made({})
  if (!(await refuses(everywhere.listen({ host: '0.0.0.0' }))))
    violations.push('development listens on every address')
  await everywhere.stop()
  return { requests: publicly + onMachine, violations }
}

/** Everything that production must not start with. */
async function tryUnfit(violations: string[]): Promise<void> {
  const unfit: [string, Partial<ProviderOptions>][] = [
    ['no address that shops can call', {}],
    ['a store in memory', { publicUrl: live, store: memoryStore() }],
    ['no adapter but one for development', { publicUrl: live, rates: [], payments: [trial] }],
  ]
  for (const [what, options] of unfit) {
    const provider = made(options, { NODE_ENV: 'production' })
    if (!(await refuses(provider.listen({ host: '127.0.0.1' }))))
      violations.push(`production starts with ${what}`)
    await provider.stop()
  }
  const unverified = { ...real, push: { read: () => [] } }
  const weak: [string, Partial<ProviderOptions>][] = [
    ['an http address', { publicUrl: 'http://checkout.example.com' }],
    ['a secret of one letter', { publicUrl: live, secret: 'x'.repeat(40) }],
    ['calls of this machine', { publicUrl: live, network: { allowLoopback: true } }],
    ['a push that nobody verifies', { publicUrl: live, payments: unverified as never }],
  ]
  for (const [what, options] of weak)
    if (!(await isRefused(() => made(options))))
      violations.push(`a provider of production is made with ${what}`)
}

/** What a public address must close, whatever the environment forgot to say. */
async function tryPublicly(violations: string[]): Promise<number> {
  const forgotten: [string, Partial<ProviderOptions>, Record<string, string>][] = [
    ['an environment that says nothing', { publicUrl: live }, {}],
    ['an address by the environment', {}, { PURVEYOR_PUBLIC_URL: live }],
    ['NODE_ENV=development', { publicUrl: live }, { NODE_ENV: 'development' }],
    ['a tunnel to elsewhere', { publicUrl: live }, { PURVEYOR_TUNNEL_URL: 'https://other.example' }],
  ]
  let requests = 0
  for (const [what, options, env] of forgotten) {
    const provider = made(options, env)
    const { endpoint, port } = await provider.listen({ host: '127.0.0.1' })
    const at = `http://127.0.0.1:${port}`
    const post = (name: string, body: object) => postJson(`${at}${pathOf(endpoint)}/${name}`, body)
    const offered = await (await post('payment_methods', checkout)).text()
    if (offered.includes('Trial')) violations.push(`${what}: a test payment is offered`)
    const started = await post('payment', payment({ method: 'trial:trial' }))
    if (started.status === 201) violations.push(`${what}: http://127.0.0.1 is taken as webhook_url`)
    const numbers = await fetch(`${at}/metrics`)
    if (numbers.status === 200) violations.push(`${what}: everybody reads /metrics`)
    const ready = (await (await fetch(`${at}/health/ready`)).json()) as object
    if (Object.keys(ready).some((key) => key !== 'status' && key !== 'store'))
      violations.push(`${what}: /health/ready has more than the status`)
    requests += 4
    await provider.stop()
  }
  return requests
}

/** Requests that a proxy on the same machine passes to a provider in development. */
async function tryProxied(violations: string[]): Promise<number> {
  const own = made({})
  const { port, endpoint } = await own.listen()
  const mounted = made({})
  const server = createServer(express().use(mounted.router))
  const mountedAt = await listenOn(server, 0, '127.0.0.1')
  const { endpoint: mountedEndpoint } = await mounted.start()
  const kinds = [
    ['its own server', port, pathOf(endpoint)],
    ['a mounted router', mountedAt, pathOf(mountedEndpoint)],
  ] as const
  const strangers = [
    ['Host: checkout.example.com'],
    ['Host: localhost.example.com'],
    ['Host: 192.0.2.7'],
    ['Host: localhost', 'Forwarded: for=192.0.2.7'],
    ['Host: localhost', 'X-Forwarded-For: 192.0.2.7'],
    ['Host: localhost', 'X-Forwarded-Proto: https'],
    ['Host: localhost', 'Via: 1.1 proxy'],
  ]
  let requests = 0
  for (const [kind, at, path] of kinds) {
    for (const target of ['/metrics', '/health/live', '/p/AAAAAAAA', `${path}/payment/1`]) {
      for (const headers of strangers) {
        requests++
        const { status, answer } = await send(at, [`GET ${target} HTTP/1.1`, ...headers])
        if (status !== 403 || !answer.includes('NOT_THIS_MACHINE'))
          violations.push(`${kind}, ${target.slice(0, 8)}, ${headers.join(', ')}: ${status}`)
      }
    }
    const { status } = await send(at, ['GET /health/live HTTP/1.1', 'Host: localhost'])
    if (status !== 200) violations.push(`${kind} answers its own machine ${status}`)
  }
  server.close().closeAllConnections()
  await Promise.all([own.stop(), mounted.stop()])
  return requests
}
