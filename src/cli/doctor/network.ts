import { getServers } from 'node:dns'
import { isIP } from 'node:net'
import { call, type Exchange, unresolved } from '../../conformance/exchange.ts'
import { type Served, wireType } from '../../contract/served.ts'
import { checkoutMessage } from '../../messages/exact.ts'
import { NameServers } from '../../network/names/name-server.ts'
import { isLoopbackHost } from '../../network/private-network.ts'
import { counted, duration } from '../../printable.ts'
import { storeTime } from '../provider/store.ts'
import { type Checks, type Found, fail, type Look, ok, type Patient, serving, skip, warn } from './check.ts'

const patience = 10_000
const times = 10
const noAddress = 'There is no public address'
const turnOnNtp = 'Turn on NTP: callbacks older than 300 s are refused'
/** How far the clock of this machine may be from the database server's, in milliseconds. */
const mostOff = 5_000

/** Runs a check on the provider's answer at its public address, if one is set. It is requested once. */
const atPublicUrl =
  (look: (exchange: Exchange) => Found): Look =>
  async (patient) => {
    const { publicUrl } = patient.described
    if (publicUrl === undefined) return skip(noAddress)
    patient.answer ??= call(`${publicUrl}/health/live`, { timeout: patience })
    return look(await patient.answer)
  }

/** The same if it answers well. */
const through = (look: (exchange: Exchange) => Found) =>
  atPublicUrl((exchange) =>
    exchange.status === 200 ? look(exchange) : skip('The public address does not answer'),
  )

/** Where no server keeps the time: compared with the `Date` of the public address. */
const publicClock = through(({ answerHeaders }) => {
  const skew = Math.abs(Date.parse(answerHeaders.date ?? '') - Date.now())
  if (Number.isNaN(skew)) return skip('The answer has no Date')
  if (skew <= 60_000) return ok('The clock is right')
  return warn(`The clock of this machine is ${duration(skew)} off`, turnOnNtp)
})

/** Calls the endpoint as a shop does, without a shop id: the first call with one binds the endpoint. */
const ask = (endpoint: string, path: string, timeout = patience): Promise<Exchange> =>
  call(`${endpoint}/${path}`, { json: checkoutMessage(undefined), timeout })

async function latencyOf(endpoint: string, path: string): Promise<Found> {
  const answers: Exchange[] = []
  for (let time = 0; time < times; time++) answers.push(await ask(endpoint, path, 20_000))
  const wrong = answers.find(({ status }) => status !== 201)
  if (wrong) return fail(`${path} answers ${wrong.said}`, 'Read its log, or run purveyor check')
  const ms = answers.map((answer) => answer.ms).sort((one, other) => one - other)
  const [p50, p90] = [ms[times >> 1]!, ms[Math.floor(times * 0.9)]!].map(Math.round)
  const says = `${path}: p50 ${p50} ms, p90 ${p90} ms`
  if (p90! > 10_000) return fail(says, 'Shops give up after ten seconds, some after three')
  return p90! > 3_000 ? warn(says, 'Some shops give up after three seconds') : ok(says)
}

const ofEndpoint = (service: Served, look: (endpoint: string) => Promise<Found>): Look =>
  serving(service, async ({ endpoint, noShop }) => {
    if (endpoint === undefined) return skip(noShop || 'The shop has no live endpoint')
    const { status } = await ask(endpoint, `${wireType[service]}_methods`)
    if (status !== undefined) return look(endpoint)
    const { origin } = new URL(endpoint)
    return skip(`Nothing answers at ${origin}: start the provider, or set PURVEYOR_PUBLIC_URL or PORT`)
  })

export const networkChecks: Checks = {
  reachable: atPublicUrl((exchange) => {
    const { status, failure } = exchange
    if (status === 200) return ok('The public address leads to this provider')
    return fail(
      `/health/live at the public address: ${exchange.said}`,
      failure === unresolved
        ? 'Correct PURVEYOR_PUBLIC_URL, or add its name to the DNS'
        : 'Start the provider, and check the proxy and the mount path',
    )
  }),
  certificate: through(({ certificateDays: days }) => {
    if (days === undefined) return skip('There is no TLS')
    const says = `The certificate expires in ${counted(days, 'day')}`
    return days < 14 ? warn(says, 'Renew it, and automate the renewal') : ok(says)
  }),
  async clock(patient) {
    const now = patient.store?.now?.()
    if (now === undefined) return publicClock(patient)
    const off = Date.now() - now
    if (Math.abs(off) <= mostOff) return ok('The clock of this machine is that of the database server')
    const where = `${duration(Math.abs(off))} ${off > 0 ? 'ahead of' : 'behind'} the database server's`
    return warn(`The clock of this machine is ${where}`, turnOnNtp)
  },
  /** Whether `trustProxy` fits what is in front. `serve` speaks http, so an https address proves a proxy; many leave no mark. */
  proxy({ described: { publicUrl, trustProxy } }) {
    if (publicUrl === undefined) return skip(noAddress)
    if (typeof trustProxy === 'number')
      return ok(`PURVEYOR_TRUST_PROXY trusts ${counted(trustProxy, 'proxy', 'proxies')}`)
    if (trustProxy !== undefined) return ok(`Proxies at ${trustProxy.join(', ')} are trusted`)
    if (!publicUrl.startsWith('https:')) return ok('No proxy was detected')
    const proof = 'publicUrl is https and `serve` speaks http, so a proxy is in front'
    return warn(`${proof}; PURVEYOR_TRUST_PROXY is not set`, setIt)
  },
  'rates latency': ofEndpoint('rates', (endpoint) => latencyOf(endpoint, 'shipment_methods')),
  'payments latency': ofEndpoint('payments', (endpoint) => latencyOf(endpoint, 'payment_methods')),
  /** Asked in the way in which the provider asks. */
  async 'name servers'(patient) {
    const { provider, described } = patient
    if (provider.development && described.nameServers === undefined)
      return skip('In development no host outside is looked up')
    const servers = described.nameServers ?? getServers()
    const hosts = await hostsOf(patient)
    const found = await Promise.all(servers.map((server) => askedOf(server, [...hosts, nobody])))
    const silent = servers.filter((_, index) => !found[index]!.includes(true))
    const remedy = 'purveyor explain NAME_SERVER_FAILED'
    if (silent.length === servers.length)
      return fail(
        `No name server answers (${servers.join(', ')}), for any of ${[...hosts, nobody].join(', ')}: only hosts that were used within the last hour can be called`,
        remedy,
      )
    if (silent.length > 0)
      return warn(`${silent.join(', ')} does not answer; the other name servers do`, remedy)
    const failed = hosts.filter((_, host) => !found.some((answered) => answered[host]))
    if (failed.length > 0)
      return warn(`The name servers fail for ${failed.join(', ')}, and find other hosts`, remedy)
    return ok(servers.length === 1 ? 'The name server answers' : 'All name servers answer')
  },
}

const setIt =
  'Set PURVEYOR_TRUST_PROXY to the number of proxies in front, or to their addresses: purveyor docs proxy'

/** No host has this name. A name server that works says so, and one that is silent does not. */
const nobody = 'purveyor.invalid'

/** The public host, and those of shops that wait for webhooks. */
async function hostsOf({ described, store }: Patient): Promise<string[]> {
  const lanes = store ? await store.lanes({ kind: 'webhook', limit: 3, now: storeTime(store) }) : []
  const addresses = [described.publicUrl, ...lanes.map(({ to }) => `https://${to}`)]
  const hosts = addresses.flatMap((one) => (one && URL.parse(one)?.hostname) || [])
  return [...new Set(hosts)].filter((host) => !host.startsWith('[') && !isIP(host) && !isLoopbackHost(host))
}

/** Whether a server answers for each host, also that there is no such host. */
async function askedOf(server: string, hosts: readonly string[]): Promise<boolean[]> {
  const servers = new NameServers([server])
  const isNone = ({ code = '' }: { code?: string }) => code === 'ENOTFOUND' || code === 'ENODATA'
  return Promise.all(hosts.map((host) => servers.ask(host, 4).then(() => true, isNone)))
}
