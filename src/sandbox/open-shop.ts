import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { RequestListener, Server } from 'node:http'
import { promisify } from 'node:util'
import type { Express } from 'express'
import { bothServed, servedBy, wireType } from '../contract/served.ts'
import { PurveyorError, wrongCall } from '../errors/errors.ts'
import { createServer, listenOn } from '../http/server.ts'
import { given } from '../messages/options.ts'
import { surfaceOf } from './api/live/sources.ts'
import { RateLimits } from './api/rate-limits.ts'
import { ResourceEvents } from './api/resource-events.ts'
import type { Surface } from './api/surface.ts'
import type { OpenShop } from './opened.ts'
import type { SandboxOptions } from './options.ts'
import type { Credentials } from './pages/services.ts'
import { type Playground, ScenarioRuns } from './scenarios/runs.ts'
import { seedsOf } from './seeds.ts'
import { Shop } from './shop.ts'
import { endpointFault, State } from './state.ts'

export function openShop(options: SandboxOptions) {
  const { endpoint } = options
  const listener = new Listener()
  const state = new State(options.file)
  const api = credentialsOf(state, options)
  const seeds = seedsOf(options)
  const shop = new Shop({ ...options, state, addressOf: listener.addressOf, resources: seeds })
  if (endpoint !== undefined) register(shop, { ...options, endpoint })
  let changes = 0
  const runs = new ScenarioRuns(
    () => openPlayground(shop, options),
    () => void state.changes.emit('change', 'scenario', ++changes, 'updated'),
  )
  let surface: Surface | undefined
  const opened: OpenShop = {
    ...{ shop, state, seeds, limits: new RateLimits(() => shop.clock.now()), api, runs },
    get surface() {
      surface ??= surfaceOf(opened)
      return surface
    },
  }
  // The shop's own orders count on from those of a seed.
  if (seeds.orders) void opened.surface
  const events = new ResourceEvents(opened)
  let server: Promise<Express> | undefined
  let soon: NodeJS.Timeout | undefined
  const loaded = () => {
    server ??= import('./server.ts').then(({ shopServer }) => shopServer(opened))
    return server
  }
  const handler: RequestListener = async (req, res) => (await loaded())(req, res)
  return {
    ...{ shop, api, listener },
    async listen() {
      const url = await listener.listen(handler, options)
      // A start does not wait for Express and the routes: they are loaded a moment later, or by the first request.
      soon = setTimeout(loaded, 100).unref()
      return url
    },
    async close() {
      clearTimeout(soon)
      await runs.close()
      events.close()
      await listener.close()
      // One that is being loaded reads the state.
      await server
      state.close()
    },
  }
}

/** A shop beside this one, with orders, switches and a clock of its own. Clocks that it moved are back when it closes. */
async function openPlayground(shop: Shop, options: SandboxOptions): Promise<Playground> {
  const { timeout, resources, seed, moveProviders, scenarioProvider } = options
  const own = await scenarioProvider?.()
  const playground = openShop({
    // Far from the orders of the shop, which the same provider may know.
    firstOrder: 100_000 + (Math.floor(Date.now() / 1_000) % 700_000),
    ...given({ timeout, resources, seed, moveProviders: own ? own.move : moveProviders }),
    ...(own && { endpoint: own.endpoint, services: own.services, estimates: own.estimates }),
  })
  const { services, clock, log } = playground.shop
  if (!own) for (const service of shop.services.all()) services.add(service)
  await playground.listen()
  return {
    run: async (scenario) => (await import('./scenarios/run.ts')).runScenario(playground.shop, scenario),
    get calls() {
      return log.calls
    },
    async close() {
      const ahead = clock.offset
      await playground.close()
      if (own) await own.stop()
      else if (ahead > 0) await moveProviders?.(-ahead)
    },
  }
}

/** `place` is the call and its member. */
export function checkEndpoint(place: string, endpoint: string): void {
  const fault = endpointFault(endpoint)
  if (fault) throw wrongCall(`${place} ${fault}`)
}

/** The given ones, otherwise those of the file, otherwise new ones. */
function credentialsOf(state: State, given: SandboxOptions): Credentials {
  const kept = state.table<Credentials & { id: number }>('credentials')
  const random = () => randomBytes(16).toString('hex')
  const own = kept.get(1) ?? kept.set({ id: 1, key: random(), secret: random(), appSecret: random() })
  const { key = own.key, secret = own.secret, appSecret = own.appSecret } = given
  return { key, secret, appSecret }
}

const ownName = 'Provider'

/** A registered service gets the current endpoint, and keeps estimates that were switched off. Those of types that were dropped are removed. */
export function register(shop: Shop, given: SandboxOptions & { endpoint: string }): void {
  const { endpoint: urlEndpoint, services = bothServed, estimates = true } = given
  const wrong = services.find((one) => !bothServed.includes(one))
  const meant = Object.entries(servedBy).find(([type]) => type === wrong)?.[1] ?? bothServed.join(' or ')
  if (wrong !== undefined) throw wrongCall(`services has an unknown entry: write ${meant}`)
  const types = services.map((one) => wireType[one])
  const areNew = shop.provider.estimates === false
  shop.provider.estimates = estimates
  const before = shop.services.all().filter(({ name }) => name === ownName)
  for (const service of before) if (!types.includes(service.type)) shop.services.remove(service.id)
  for (const type of types) {
    const known = before.find((service) => service.type === type)
    const rateEstimate = type === 'shipment' && estimates && (areNew || known?.rateEstimate !== false)
    if (known?.urlEndpoint === urlEndpoint && known.rateEstimate === rateEstimate) continue
    if (known) shop.services.change(known, { urlEndpoint, rateEstimate })
    else shop.services.add({ type, name: ownName, urlEndpoint, rateEstimate })
  }
}

class Listener {
  /** Set once it listens. */
  url = ''
  /** With https: the certificate to trust, as PEM text. Set once it listens. */
  ca: string | undefined
  #server: Server | undefined

  /** The outside address of a path. Throws `ARGUMENT_INVALID` before the server listens. */
  readonly addressOf = (path: string): string => {
    if (this.url === '') throw wrongCall('await sandbox.listen() first: a payment needs return addresses')
    return `${this.url}${path}`
  }

  async listen(handler: RequestListener, given: { https?: boolean; port?: number }): Promise<string> {
    const { https = false, port = 0 } = given
    if (https) {
      const certificate = await loopbackCertificate()
      this.#server = (await import('node:https')).createServer(certificate, handler)
      this.ca = certificate.cert
    } else this.#server = createServer(handler)
    this.url = `${https ? 'https' : 'http'}://127.0.0.1:${await listenOn(this.#server, port, '127.0.0.1')}`
    return this.url
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#server) return resolve()
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }
}

const made = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30
  -config /dev/null -subj /CN=localhost -keyout - -out -
  -addext subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1 -addext basicConstraints=critical,CA:FALSE
  -addext keyUsage=critical,digitalSignature -addext extendedKeyUsage=serverAuth`.split(/\s+/)

/** A certificate for this machine, valid for 30 days, as PEM texts. It signs no other. Rejects with `ENVIRONMENT_UNFIT` without the program `openssl`. */
export async function loopbackCertificate(): Promise<{ key: string; cert: string }> {
  const { stdout } = await promisify(execFile)('openssl', made).catch((cause: unknown) => {
    const remedy = 'which makes the certificate: install it, or leave https out.'
    throw new PurveyorError('ENVIRONMENT_UNFIT', `https needs the program openssl 3, ${remedy}`, { cause })
  })
  const [key = '', cert = ''] = stdout.split(/(?=-----BEGIN CERTIFICATE)/)
  return { key, cert }
}
