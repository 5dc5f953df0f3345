import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import closeWithGrace from 'close-with-grace'
import { hasCode } from '../errors.ts'
import {
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  type Served,
  type Switch,
} from '../sandbox/index.ts'
import { withoutSlash } from '../shops/hosts.ts'
import { checkRecordFolder } from './record-folder.ts'
import { print, table, time } from './terminal/print.ts'
import { EnvironmentProblem, portInUse, UsageError } from './usage.ts'

export interface RunOptions {
  for?: Served[]
  port: number
  file?: string
  record?: string
  seed?: string
  key?: string
  secret?: string
  https?: boolean
  json?: boolean
}

/** Clients of this family refuse keys and secrets of another length. */
const credentialLength = 32

/** The sandbox; wrong options become a `UsageError`. */
export function sandboxOf(options: SandboxOptions): ReturnType<typeof createSandbox> {
  try {
    return createSandbox(options)
  } catch (error) {
    if (hasCode(error, 'ARGUMENT_INVALID'))
      throw new UsageError(error.message.replace('createSandbox(): ', ''))
    if ((error as { code?: string }).code === 'SANDBOX_FILE_UNUSABLE')
      throw new EnvironmentProblem((error as Error).message)
    throw error
  }
}

/**
 * The id of the first order of a shop whose provider may know the orders of an earlier one: it would answer that the new one is paid. In
 * milliseconds, so that no two starts share ids, and small enough for 32 bits.
 */
export const unseenOrder = (): number => 1_000_000 + (Date.now() % 1_000_000_000)

/** Runs the shop until it is stopped. */
export async function sandbox(endpoint: string | undefined, options: RunOptions): Promise<void> {
  if (process.env.NODE_ENV === 'production') {
    throw new UsageError('The sandbox is for development only: it accepts http addresses and shows secrets.')
  }
  const { for: services, port, file, record, seed, key, secret, https, json } = options
  for (const [name, value] of Object.entries({ key, secret })) {
    if (value !== undefined && !new RegExp(`^\\w{${credentialLength}}$`).test(value))
      throw new UsageError(`--${name} needs ${credentialLength} letters and digits, as clients expect.`)
  }
  checkRecordFolder(record)
  // A file goes on counting.
  const first = endpoint === undefined || file !== undefined ? {} : { firstOrder: unseenOrder() }
  const shop = sandboxOf({ port, endpoint, services, file, seed, key, secret, https, ...first })
  const url = await shop.listen().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw portInUse(port)
  })
  const authority = shop.ca === undefined ? undefined : keptAuthority(shop.ca)
  const stopRecording = record === undefined ? undefined : shop.record(record)
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
    ...(authority ? [`CA        ${authority.file}   trust it, such as with NODE_EXTRA_CA_CERTS`] : []),
    'To call the API, set these variables, then run purveyor shop connect',
    `  ${environmentOf(api)}`,
    'This shop is on your own machine: http addresses are allowed, no money moves. Ctrl+C stops.',
  ])
}

/** The authority of the certificate as a file for clients. It is gone when the shop stops. */
function keptAuthority(pem: string): { file: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-ca-'))
  const file = join(folder, 'ca.pem')
  writeFileSync(file, pem)
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export const apiLine = ({ baseUrl, key, secret }: Sandbox['api']): string =>
  `API       ${baseUrl}   key ${key}, secret ${secret}`

/** The same for `purveyor shop connect`. */
const environmentOf = ({ baseUrl, key, secret }: Sandbox['api']): string =>
  `export PURVEYOR_PLATFORM_URL=${baseUrl} PURVEYOR_PLATFORM_LANGUAGE=en PURVEYOR_PLATFORM_KEY=${key} PURVEYOR_PLATFORM_SECRET=${secret}`

export interface RunningShop {
  url?: string
  json?: boolean
}

interface View {
  switches: Switch[]
  now: number
}

/** Shows or sets the switches of a running shop. */
export async function switches(changes: string[], options: RunningShop): Promise<void> {
  const body = changes.includes('reset') ? { reset: true } : Object.fromEntries(changes.map(pairOf))
  const view =
    changes.length === 0
      ? await call(options, 'GET', '/switches')
      : await call(options, 'POST', '/switches', body)
  print(options.json, view.switches, () =>
    table(view.switches, '', {
      switch: ({ name }) => name,
      value: ({ value }) => value,
      'other values': ({ value, values }) =>
        Object.keys(values)
          .filter((one) => one !== value)
          .join(' '),
      meaning: ({ title }) => title,
    }),
  )
}

function pairOf(text: string): [string, string] {
  const [, name, value] = /^(\w+)=(\w+)$/.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new UsageError(`"${text}" is not a switch. Write name=value, such as webhook=refused.`)
  return [name, value]
}

/** Moves the clock of a running shop, and of a provider that runs under it. */
export async function clock(by: string, options: RunningShop): Promise<void> {
  const { now } = await call(options, 'POST', '/clock', { by })
  print(options.json, { now: new Date(now).toISOString() }, () => `It is ${time(now)} UTC in the shop.`)
}

async function call(
  { url = process.env.PURVEYOR_SANDBOX_URL ?? 'http://127.0.0.1:3001' }: RunningShop,
  method: string,
  path: string,
  body?: object,
): Promise<View> {
  if (!URL.canParse(url)) throw new UsageError(`--url ${url} is not an http or https address.`)
  let answer: Response
  try {
    answer = await fetch(`${withoutSlash(url)}${path}`, {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    })
  } catch {
    throw new EnvironmentProblem(
      `No sandbox answers at ${url}. Start one with purveyor sandbox, or name it with --url.`,
    )
  }
  const said = (await answer.json().catch(() => undefined)) as (View & { error?: string }) | undefined
  if (said?.error !== undefined) throw new UsageError(said.error)
  if (!answer.ok || said === undefined) throw new EnvironmentProblem(`The server at ${url} is not a sandbox.`)
  return said
}
