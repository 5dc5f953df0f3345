import closeWithGrace from 'close-with-grace'
import { isAuthor } from '../../audit.ts'
import { roles } from '../../console/roles.ts'
import { consoleAt, consolePath } from '../../console/server.ts'
import { hardenedServer, listenOn } from '../../http/server.ts'
import { isLoopbackHost } from '../../network/private-network.ts'
import { hashToken, tokenBytes } from '../../shops/seal.ts'
import { httpUrl, oneOf, onProvider, parsed, plain, port, provider, readyAsJson } from '../table.ts'
import { print } from '../terminal/print.ts'
import { listenFault, UsageError } from '../terminal/usage.ts'

const nameOf = (name: string): string => {
  if (isAuthor(name)) return name
  throw new UsageError('A name has 1 to 200 characters that print as they are.')
}

const link = onProvider({
  description: 'print a link that signs one person in, once, within ten minutes',
  examples: ['purveyor console link --name mila --role support'],
  options: {
    '--name <name>': { description: 'who it is for; the audit trail names them', required: true },
    '--role <role>': oneOf('what they may do', roles, { required: true }),
    '--url <url>': parsed('the server of the console; default: that of the provider', httpUrl),
  },
  async run({ name, role, url, json, by }, _provider, inspection) {
    await inspection().unlock()
    const store = await inspection().openStore()
    const { world, url: consoleUrl, isServed } = inspection().console()
    if (!isServed && url === undefined)
      throw new UsageError(
        'This provider serves no console. Set console: {} in createProvider(), or name the server of purveyor console with --url.',
      )
    const [token, now] = [world.token(tokenBytes), world.now()]
    const expiresAt = now + 600_000
    const added = { tokenHash: hashToken(token), name: nameOf(name), role, expiresAt }
    await store.addConsoleLink(added, { at: now, by })
    const address = `${url === undefined ? consoleUrl : consoleAt(url)}/link/${token}`
    print(json, { link: address, name, role, expiresAt }, () => [
      address,
      `It signs ${name} in as ${role}, once, within ten minutes. Send it on a way that nobody else reads.`,
    ])
  },
})

const signOut = onProvider({
  description: 'end every session of one person',
  examples: ['purveyor console sign-out --name mila'],
  options: {
    '--name <name>': { description: 'as the console and the audit trail name them', required: true },
  },
  async run({ name, json, by }, _provider, inspection) {
    await inspection().unlock()
    const store = await inspection().openStore()
    const signedIn = { by: nameOf(name), action: 'console.signed_in', limit: 1 }
    const known = (await store.searchAuditTrail(signedIn)).length > 0
    await store.signOutOfConsole(name, inspection().console().world.now(), by)
    print(json, { signedOut: name, known }, () =>
      known
        ? `${name} is signed out. Sessions that began before now are over.`
        : `Nobody has signed in as ${name}. If you meant somebody else, repeat it with the name that the audit trail of the console shows under Who.`,
    )
  },
})

/** The console as a process of its own, beside the provider: on the same store, and with the same secret. */
export const command = plain({
  description: 'serve the console: pages for support, operations and finance',
  examples: ['purveyor console --port 3100', 'purveyor console link --name mila --role support'],
  options: {
    ...provider,
    '-p, --port <number>': parsed('default: 3100', port),
    '--host <address>': 'the address to listen on; default: 127.0.0.1, behind a proxy with TLS',
    ...readyAsJson,
  },
  async run({ provider: named, port: wanted = 3100, host = '127.0.0.1', json }) {
    const { providerOf } = await import('../provider/with-provider.ts')
    const { inspect } = await import('../../provider/inspection.ts')
    const lent = await providerOf(named)
    const alone = 'In development the console serves this machine alone, because nobody signs in.'
    if (lent.development && !isLoopbackHost(host)) throw new UsageError(`${alone} Remove --host.`)
    const inspection = inspect(lent)
    await inspection.unlock()
    const { listener, end } = inspection.console()
    const server = hardenedServer(listener(), () => {})
    const bound = await listenOn(server, wanted, host).catch(async (error: NodeJS.ErrnoException) => {
      await lent.stop()
      throw listenFault(error)
    })
    closeWithGrace({ delay: 5_000, logger: false }, async () => {
      await end()
      server.close()
      server.closeAllConnections()
      await lent.stop()
    })
    const url = `http://${host}:${bound}${consolePath}/`
    print(json, { ready: true, url, port: bound }, () => [
      `Console   ${url}`,
      lent.development
        ? 'Development: nobody signs in, and it answers this machine alone.'
        : 'To sign somebody in: purveyor console link --name mila --role support',
    ])
  },
  commands: { link, 'sign-out': signOut },
})
