import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bothServed } from '../../contract/served.ts'
import type { Sandbox, SandboxOptions, Switch } from '../../sandbox/index.ts'
import { withoutSlash } from '../../shops/shop.ts'
import { httpUrl, httpUrlIn, json, oneOf, parsed, plain, port, readyAsJson, textOf } from '../table.ts'
import { print, printTable, time } from '../terminal/print.ts'
import { EnvironmentProblem, listenFault, UsageError } from '../terminal/usage.ts'

export const sandboxOf = async (options: SandboxOptions): Promise<Sandbox> =>
  (await import('../../sandbox/index.ts')).createSandbox(options)

/** Refuses a folder of `--record` that cannot hold a recording, before anything starts. */
export async function checkRecordFolder(folder: string | undefined): Promise<void> {
  if (folder === undefined) return
  const { folderFault } = await import('../../sandbox/recording/record.ts')
  const fault = folderFault(folder)
  if (fault !== undefined) throw new UsageError(fault)
}

/** The first order's id of a shop whose provider may know the orders of an earlier one: a new one would be paid. Small enough for 32 bits. */
export const unseenOrder = (): number => 1_000_000 + (Date.now() % 1_000_000_000)

export const seed = {
  '--seed <path>': 'records of the shop: a file such as products.json, or a folder of them',
}
export const servedOption = (description: string) => oneOf(`${description}; default: both`, bothServed)

const address = 'address of the shop; default: PURVEYOR_SANDBOX_URL, or http://127.0.0.1:3001'
const url = { '--url <url>': parsed(address, httpUrl), ...json }

const switches = plain({
  description: 'show or set the switches of a running shop',
  examples: ['purveyor sandbox switches', 'purveyor sandbox switches webhook=refused'],
  arguments: { '[switches...]': 'such as webhook=refused; reset restores the defaults' },
  options: url,
  async run({ switches: changes, url, json }) {
    const body = changes.includes('reset') ? { reset: true } : Object.fromEntries(changes.map(pairOf))
    const view = await call(url, '/switches', changes.length === 0 ? undefined : body)
    printTable(json, view.switches, '', {
      ...{ switch: 'name', value: 'value' },
      'other values': ({ value, values }) =>
        Object.keys(values)
          .filter((one) => one !== value)
          .join(' '),
      meaning: 'title',
    })
  },
})

/** Also moves the clock of a provider that runs under the shop. */
const clock = plain({
  description: 'move the clock of a running shop forward',
  examples: ['purveyor sandbox clock 2h'],
  arguments: { '<time>': 'such as 30s, 10m, 2h, 1d or 1month' },
  options: url,
  async run({ time: by, url, json }) {
    const { now } = await call(url, '/clock', { by })
    print(json, { now: new Date(now).toISOString() }, () => `It is ${time(now)} UTC in the shop.`)
  },
})

/** Clients of the platform's family refuse keys and secrets of another length. */
const credential = textOf('32 letters and digits, as clients expect.', /^\w{32}$/)
const random = '32 letters and digits; default: a random one'

export const command = plain({
  description: 'run the sandbox shop alone, for a provider that runs elsewhere',
  examples: [
    'purveyor sandbox http://127.0.0.1:8080/checkout --for rates',
    'purveyor sandbox --file shop.db',
  ],
  arguments: {
    '[endpoint]':
      "a provider's urlEndpoint; default: none; register services on the shop's page or through its API",
  },
  options: {
    '--for <type...>': servedOption('what to register the endpoint for'),
    '-p, --port <number>': parsed('port of the shop', port, { default: 3001 }),
    '--file <file>': 'store everything in this SQLite file; default: in memory',
    '--record <folder>': 'save every call to a provider to a file, with personal data replaced',
    ...seed,
    '--key <text>': parsed(`user name of the API, ${random}`, credential),
    '--secret <text>': parsed(`password of the API, ${random}`, credential),
    '--https': 'listen on https; prints the path of the certificate authority that clients should trust',
    ...readyAsJson,
  },
  commands: { switches, clock },
  async run({ endpoint, for: services, port, file, record, seed, key, secret, https, json }) {
    if (process.env.NODE_ENV === 'production')
      throw new UsageError(
        'The sandbox is for development only: it accepts http addresses and shows secrets.',
      )
    await checkRecordFolder(record)
    // A file goes on counting.
    const first = endpoint === undefined || file !== undefined ? {} : { firstOrder: unseenOrder() }
    const shop = await sandboxOf({ port, endpoint, services, file, seed, key, secret, https, ...first })
    const url = await shop.listen().catch((error: NodeJS.ErrnoException) => {
      throw listenFault(error)
    })
    const authority = shop.ca === undefined ? undefined : keptAuthority(shop.ca)
    const stopRecording = record === undefined ? undefined : shop.record(record)
    const { default: closeWithGrace } = await import('close-with-grace')
    closeWithGrace({ delay: 5_000, logger: false }, async () => {
      stopRecording?.()
      authority?.remove()
      await shop.close()
    })
    const { api } = shop
    print(json, { ready: true, sandbox: url, api, ca: authority?.file }, () => [
      `Shop      ${url}`,
      apiLine(api),
      `          callbacks are signed with ${api.appSecret}`,
      authority && `CA        ${authority.file}   trust it, such as with NODE_EXTRA_CA_CERTS`,
      'To call the API, set these variables, then run purveyor shop connect',
      `  export PURVEYOR_PLATFORM_URL=${api.baseUrl} PURVEYOR_PLATFORM_LANGUAGE=en PURVEYOR_PLATFORM_KEY=${api.key} PURVEYOR_PLATFORM_SECRET=${api.secret}`,
      'This shop is on your own machine: http addresses are allowed, no money moves. Ctrl+C stops.',
    ])
  },
})

/** The authority of the certificate as a file for clients. It is gone when the shop stops. */
function keptAuthority(pem: string) {
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-ca-'))
  const file = join(folder, 'ca.pem')
  writeFileSync(file, pem)
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export const apiLine = ({ baseUrl, key, secret }: Sandbox['api']): string =>
  `API       ${baseUrl}   key ${key}, secret ${secret}`

function pairOf(text: string): string[] {
  if (/^\w+=\w+$/.test(text)) return text.split('=')
  throw new UsageError(`"${text}" is not a switch. Write name=value, such as webhook=refused.`)
}

type View = { switches: Switch[]; now: number; error?: string }

async function call(given: string | undefined, path: string, change?: object): Promise<View> {
  const url = given ?? httpUrlIn('PURVEYOR_SANDBOX_URL', 'http://127.0.0.1:3001')
  const answer = await fetch(`${withoutSlash(url)}${path}`, {
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    ...(change && { method: 'POST', body: JSON.stringify(change) }),
    signal: AbortSignal.timeout(10_000),
  }).catch((error: { cause?: { code?: string } }) => {
    const code = error.cause?.code ?? ''
    if (/CERT|SIGNED|VERIFY/.test(code))
      throw new EnvironmentProblem(
        `The certificate of ${url} is not trusted (${code}). Set NODE_EXTRA_CA_CERTS to the file that the sandbox named at its start.`,
      )
    throw new EnvironmentProblem(
      `No sandbox answers at ${url}. Start one with purveyor sandbox, or name it with --url.`,
    )
  })
  const said = (await answer.json().catch(() => undefined)) as View | undefined
  if (said?.error !== undefined) throw new UsageError(said.error)
  if (!answer.ok || said === undefined) throw new EnvironmentProblem(`The server at ${url} is not a sandbox.`)
  return said
}
