import type { RequestListener, Server } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { checkOptions, each, functionOption, optionGroup } from '../checked-options.ts'
import { PurveyorError } from '../errors/errors.ts'
import { english, pageLanguages } from '../http/pages/texts.ts'
import { announceEnd, drain, drainFor, hardenedServer, listenOn } from '../http/server.ts'
import { isLoopbackHost } from '../network/private-network.ts'
import { ServiceCalls } from '../payments/payment-memory.ts'
import { prepareRates } from '../rates/asking/watch-files.ts'
import { endpointRow, newEndpoint } from '../shops/seal.ts'
import { endpointUrl } from '../shops/shop.ts'
import { shopIdOf } from '../shops/shop-view.ts'
import { noteServed, unlockStore } from '../shops/unlock-store.ts'
import { apart } from '../tracing.ts'
import type { Assembled } from './assemble.ts'
import { Background } from './background.ts'
import { checkProduction, configurationInvalid, misspeltVariables } from './configuration.ts'
import type { Listening, ListenOptions, StopOptions } from './provider.ts'

/** As long as a stop waits for open requests, in milliseconds. */
const formsEndWithin = 4_500

const milliseconds = z.number('must be a number of milliseconds').min(0, 'must be 0 or more').optional()
const portNumber = z
  .int('must be a whole number')
  .min(0, 'must be 0 or more')
  .max(65_535, 'must be at most 65535')
const listenOptions = optionGroup({
  port: portNumber.optional(),
  host: z.string('must be text').optional(),
  metrics: functionOption,
  signal: z.instanceof(AbortSignal, { error: 'must be an AbortSignal' }).optional(),
})
const replaced = z.boolean('must be true or false').optional()
const stopOptions = optionGroup({ ...each(milliseconds, 'linger', 'delay'), replaced })

/** Starts and stops the store, the background work and the server. */
export class Lifecycle {
  readonly #assembled: Assembled
  #background: Background | undefined
  #server: Server | undefined
  /** Of the console, where that has a port of its own. */
  #console: Server | undefined
  /** Whether the user's app has a server of ours. */
  #servesApp = false
  #prepared: Promise<unknown> | undefined
  #stopped: Promise<void> | undefined

  constructor(assembled: Assembled) {
    this.#assembled = assembled
    assembled.state.wake = () => apart(() => this.#background?.wake())
  }

  server(app: RequestListener): Server {
    this.#servesApp = true
    return hardenedServer(app, (code) => this.#assembled.observer.refused(code))
  }

  async start(): Promise<{ endpoint: string }> {
    const { world, addresses } = this.#assembled.workings
    const warn = (text: string) => world.log.warn({}, text)
    if (!this.#servesApp)
      warn(
        'mounted in a server without connection limits: create it with provider.server(app) before provider.start()',
      )
    if (this.#hasWellKnown)
      warn(
        'wellKnown files are served at the root of the host only: mount provider.router at the root of the app, or serve them yourself',
      )
    const { token } = await this.#open()
    await this.#run()
    if (this.#assembled.configuration.publicUrl !== undefined) await this.#noteAddress()
    return { endpoint: endpointUrl(addresses.publicUrl, token) }
  }

  /** A start does not fail because of it: it is noted again in a while. */
  async #noteAddress(): Promise<void> {
    const { rotation, workings } = this.#assembled
    await rotation.listensAt(workings.addresses.publicUrl).catch((error: unknown) => {
      workings.world.log.warn({ err: error }, 'the address of this node is not stored yet')
    })
  }

  async listen(options: ListenOptions = {}): Promise<Listening> {
    checkOptions('listen()', listenOptions, options)
    const { port, host, metrics, signal } = options
    const { configuration, workings, routes, observer, state } = this.#assembled
    const { development } = configuration
    const address = host ?? (development ? '127.0.0.1' : undefined)
    if (development && !isLoopbackHost(address ?? '')) {
      const path = `listen({ host: '${address}' })`
      const message =
        'is not an address of this machine, but development listens only on this machine. Remove host, or set PURVEYOR_PUBLIC_URL to the https address that shops call'
      throw configurationInvalid([{ path, message }])
    }
    state.metrics = metrics ?? (() => this.metrics())
    const { listener } = routes()
    const { shop, token } = await this.#open()
    if (signal?.aborted) {
      await this.stop()
      throw signal.reason
    }
    this.#server = hardenedServer(listener, (code) => observer.refused(code))
    let bound: number
    try {
      bound = await listenOn(this.#server, port ?? configuration.port, address)
      await this.#openConsole(address)
    } catch (error) {
      await this.stop()
      throw error
    }
    const url = configuration.publicUrl ?? `http://127.0.0.1:${bound}`
    workings.addresses.publicUrl = url
    await this.#run()
    await this.#noteAddress()
    return { url, endpoint: endpointUrl(url, token), shop, port: bound }
  }

  async #openConsole(host: string | undefined): Promise<void> {
    const { options, observer } = this.#assembled
    const { port } = options.console ?? {}
    if (port === undefined) return
    this.#console = hardenedServer(this.#assembled.console(), (code) => observer.refused(code))
    await listenOn(this.#console, port, host)
  }

  async stop(options: StopOptions = {}): Promise<void> {
    checkOptions('stop()', stopOptions, options)
    this.#stopped ??= this.#stop(options)
    return this.#stopped
  }

  async metrics(): Promise<string> {
    const { metrics } = this.#assembled.observer
    if (metrics) return metrics.registry.metrics()
    throw new PurveyorError('METRICS_OFF')
  }

  /** Runs the adapters' `prepare` once before their first call. */
  prepare(): Promise<unknown> {
    this.#prepared ??= prepareRates(this.#assembled.workings)
    return this.#prepared
  }

  /** Resolves with the endpoint to print: that of the shop `default`, or of the first shop if `default` was removed. */
  async #open(): Promise<{ shop: string; token: string }> {
    const { workings, configuration, rotation, recognise } = this.#assembled
    checkProduction(configuration)
    await this.prepare()
    try {
      await unlockStore(workings, { serves: true })
      const { store, seal, world } = workings
      await noteServed(store, world.now())
      const own = await shopIdOf(store)
      const { id: shop = own } = (await store.shop(own)) ?? (await store.shops(1))[0] ?? {}
      const { token: _, ...endpoint } = newEndpoint(workings, shop)
      const { sealedToken, tokenHash } = await store.ensureShop(shop, endpoint)
      this.#warn()
      const token = seal.open(sealedToken, endpointRow(shop, tokenHash))
      await Promise.all([rotation.begin(), recognise()])
      return { shop, token }
    } catch (error) {
      workings.world.outgoing.close()
      // A store that stays open would keep the process alive.
      await workings.store.close().catch(() => {})
      throw error
    }
  }

  /** Logs faults that stop nothing. */
  #warn(): void {
    const { options, configuration, workings, leftOut } = this.#assembled
    const { development, trustProxy, allowLoopback, mode } = configuration
    const { log } = workings.world
    const { hostname = '', pathname = '/' } = URL.parse(workings.addresses.publicUrl) ?? {}
    const warn = (text: string) => log.warn({}, text)
    if (options.http.callers?.from && trustProxy === undefined && !development)
      warn('http.callers.from checks the connecting address: behind a proxy set PURVEYOR_TRUST_PROXY')
    for (const warning of workings.store.warnings ?? []) warn(warning)
    for (const { path, message } of misspeltVariables(process.env)) warn(`${path} ${message}`)
    if (!development && isLoopbackHost(hostname))
      warn('publicUrl (PURVEYOR_PUBLIC_URL) is an address of this machine: no shop can call it')
    if (this.#hasWellKnown && pathname !== '/')
      warn(
        'wellKnown files are served at the root of the host, and publicUrl (PURVEYOR_PUBLIC_URL) has a path: let the proxy pass /.well-known/ on, or serve them yourself',
      )
    for (const [language, own] of Object.entries(workings.texts)) {
      const missing = Object.keys(english).filter((key) => !Object.hasOwn(own, key))
      if (missing.length > 0 && !pageLanguages.includes(language))
        warn(`payments.texts.${language} lacks ${missing.join(', ')}: pages show the English text`)
    }
    for (const adapter of leftOut)
      log.warn({ adapter }, `the adapter is developmentOnly and left out of production: ${mode.because}`)
    if (allowLoopback) log.info({}, 'development: http addresses and this machine may be called')
  }

  get #hasWellKnown(): boolean {
    return this.#assembled.workings.payments.adapters.some(
      ({ wellKnown }) => Object.keys(wellKnown ?? {}).length > 0,
    )
  }

  async #run(): Promise<void> {
    const { configuration, workings, observer, state } = this.#assembled
    state.stopping = false
    this.#stopped = undefined
    // Its library takes time to load, so a provider without `/metrics` keeps no metrics.
    if (configuration.development || configuration.metricsToken !== undefined) {
      const { Metrics } = await import('../observability/metrics.ts')
      observer.metrics = new Metrics(workings)
    }
    workings.payments.memory.calls = new ServiceCalls()
    const background = new Background(workings, this.#assembled.observer.minutes)
    this.#background = background
    apart(() => background.start())
  }

  async #stop({ linger = 0, delay, replaced = false }: StopOptions): Promise<void> {
    const { configuration, workings, observer, state, rotation } = this.#assembled
    // Other nodes do not wait for one that never served.
    const server = this.#server?.listening ? this.#server : undefined
    state.stopping = !replaced
    this.#background?.finish()
    if (server) await announceEnd(server, delay ?? configuration.stopDelay)
    workings.payments.memory.calls.end()
    await this.#assembled.endConsole()
    this.#console?.close()
    this.#console?.closeAllConnections()
    // Forms may be answered before they end. The outcome of one that takes longer is found by a question to the payment service.
    const forms = Promise.allSettled(workings.payments.memory.openForms.values())
    const formsEnd = Promise.race([forms, setTimeout(formsEndWithin, undefined, { ref: false })])
    const drained = server && drain(server, linger, drainFor(configuration.development))
    await Promise.all([drained, this.#background?.stop(), formsEnd])
    await rotation.end()
    observer.metrics?.end()
    observer.metrics = undefined
    // Does not wait: a connection in use closes after its answer.
    workings.world.outgoing.close()
    await workings.store.close()
  }
}
