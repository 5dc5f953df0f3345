import type { PlatformClient } from '../../platform/client.ts'
import { systemUser } from '../serve/system-user.ts'
import { ofShop } from '../table.ts'
import { print } from '../terminal/print.ts'
import { readJsonFile } from '../terminal/read-input.ts'
import { UsageError } from '../terminal/usage.ts'

const fromEnvironment = {
  baseUrl: 'PURVEYOR_PLATFORM_URL',
  language: 'PURVEYOR_PLATFORM_LANGUAGE',
  key: 'PURVEYOR_PLATFORM_KEY',
  secret: 'PURVEYOR_PLATFORM_SECRET',
} as const

/** Stores the credentials once a test call has succeeded. They are not arguments, because lists of processes show those. */
export const connect = ofShop({
  description:
    "store the credentials for the platform's API: PURVEYOR_PLATFORM_URL, _LANGUAGE, _KEY and _SECRET, or JSON on standard input",
  examples: ['purveyor shop connect bikes'],
  options: { '--no-check': 'store them without testing them' },
  async run({ shop: id, check, json }, { shops, development }) {
    await shops.show(id)
    const given = await givenCredentials()
    const { baseUrl, language } = given
    const { createPlatformClient } = await import('../../platform/client.ts')
    let client: PlatformClient
    try {
      client = createPlatformClient({ ...given, allowLoopback: development })
    } catch (error) {
      const named = new RegExp(`^(?:${Object.keys(fromEnvironment).join('|')})\\b`)
      const variableOf = (field: string) => `${field} (${fromEnvironment[field as keyof Credentials]})`
      throw invalid((error as Error).message.replace(named, variableOf))
    }
    if (check) await client.externalServices.list().next()
    await shops.connect(id, given, { by: systemUser() })
    print(json, { shop: id, baseUrl, language, checked: check }, () =>
      check
        ? `Shop ${id} is connected to ${baseUrl}: the platform accepted its credentials.`
        : `The credentials of shop ${id} for ${baseUrl} are stored, and were not tested.`,
    )
  },
})

const invalid = (why: string) =>
  new UsageError(`The credentials are invalid, and nothing was changed: ${why}.`)

type Credentials = Record<keyof typeof fromEnvironment, string>

async function givenCredentials(): Promise<Credentials> {
  const { withoutUserInfo } = await import('../../shops/shop.ts')
  /** The address may hold key and secret. */
  const split = (given: Credentials): Credentials => {
    try {
      return withoutUserInfo(given)
    } catch (error) {
      throw invalid((error as Error).message)
    }
  }
  const names = Object.entries(fromEnvironment) as [keyof Credentials, string][]
  const values = split(
    Object.fromEntries(names.map(([field, name]) => [field, process.env[name] ?? ''])) as Credentials,
  )
  const missing = names.filter(([field]) => !values[field]).map(([, name]) => name)
  if (missing.length === 0) return values
  if (missing.length < names.length || process.stdin.isTTY === true)
    throw new UsageError(
      `Set ${missing.join(', ')}, or give { baseUrl, language, key, secret } as JSON on standard input.`,
    )
  return split(readJsonFile('-', 'the credentials') as Credentials)
}
