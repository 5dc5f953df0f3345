import { Resolver } from 'node:dns'
import { isIP } from 'node:net'
import { isLoopbackHost } from '../../network/loopback.ts'
import { NameServers } from '../../network/names/name-server.ts'
import { storeTime } from '../store.ts'
import { type Checks, fail, ok, type Patient, skipped, warn } from './check.ts'

/** So many hosts of webhooks are looked up. */
const mostHosts = 3
/** No host has this name. A name server that works says so, and one that is silent does not. */
const nobody = 'purveyor.invalid'

/** The name servers, asked in the way in which the provider asks. */
export const nameServerChecks: Checks = {
  async 'name servers'(patient) {
    const { provider, described } = patient
    if (provider.development && described.nameServers === undefined)
      return skipped('In development nothing outside is looked up')
    const servers = serversOf(described.nameServers)
    const hosts = await hostsOf(patient)
    const found = await Promise.all(servers.map((server) => askedOf(server, [...hosts, nobody])))
    const silent = servers.filter((_, place) => !found[place]!.some(({ answered }) => answered))
    const remedy = 'purveyor explain NAME_SERVER_FAILED'
    if (silent.length === servers.length)
      return fail(
        `No name server answers (${servers.join(', ')}), for any of ${[...hosts, nobody].join(', ')}: no host that is new or that was not used for an hour can be called`,
        remedy,
      )
    if (silent.length > 0)
      return warn(`${silent.join(', ')} does not answer; the other name servers do`, remedy)
    const failed = hosts.filter((_, host) => !found.some((of) => of[host]!.answered))
    return failed.length > 0
      ? warn(`The name servers find other hosts, and fail for ${failed.join(', ')}`, remedy)
      : ok(`${servers.length === 1 ? 'The name server answers' : 'All name servers answer'}`)
  },
}

function serversOf(given: readonly string[] | undefined): string[] {
  const resolver = new Resolver()
  if (given) resolver.setServers(given)
  return resolver.getServers()
}

/** The public host, and those of shops that wait for webhooks. */
async function hostsOf({ described, store }: Patient): Promise<string[]> {
  const filter = { kind: 'webhook', limit: mostHosts } as const
  const lanes = store ? await store.lanes({ ...filter, now: storeTime(store) }) : []
  const addresses = [described.publicUrl, ...lanes.map(({ to }) => `https://${to}`)]
  const hosts = addresses.flatMap((one) => (one && URL.parse(one)?.hostname) || [])
  return [...new Set(hosts)].filter((host) => !host.startsWith('[') && !isIP(host) && !isLoopbackHost(host))
}

/** Whether a server answers for each host, also that there is no such host. */
async function askedOf(server: string, hosts: readonly string[]): Promise<{ answered: boolean }[]> {
  const servers = new NameServers([server])
  return Promise.all(
    hosts.map((host) =>
      servers.ask(host, 4).then(
        () => ({ answered: true }),
        ({ code }: { code?: string }) => ({ answered: code === 'ENOTFOUND' }),
      ),
    ),
  )
}
