import { readFileSync } from 'node:fs'
import { loadEnvFile, unreadable } from './read-input.ts'
import { UsageError } from './usage.ts'

const remedy = (option: string) =>
  `Put the address into an environment variable and name that, such as ${option} NEW_DATABASE_URL, or into a file: ${option} @address.txt.`

/**
 * Reads the address of a store that an option names: the name of an environment variable, `@` and a file with it, or an address without a
 * password. Every user of a machine sees the arguments of its processes. `.env` is loaded for each of these forms, with its secret too. Throws a `UsageError` that never repeats an address.
 */
export function readStoreAddress(option: string, given: string): string {
  loadEnvFile()
  if (/^(sqlite|postgres(ql)?):/.test(given)) return withoutPassword(option, checked(option, given))
  if (given.startsWith('@')) return checked(option, firstLine(given.slice(1), option))
  if (!/^[A-Za-z_]\w*$/.test(given)) {
    throw new UsageError(
      `${option} takes the name of an environment variable, @ and a file, or an address such as sqlite:./data/purveyor.db. ${remedy(option)}`,
    )
  }
  const value = process.env[given]
  if (value) return checked(`${option} (${given})`, value.trim())
  throw new UsageError(
    `There is no environment variable ${given}, here or in .env. Set it to the address that ${option} means.`,
  )
}

function firstLine(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8').trim().split('\n', 1)[0]!.trim()
  } catch (error) {
    throw unreadable(file, error, `Name one with an address of a store: ${option} @address.txt.`)
  }
}

function checked(place: string, address: string): string {
  if (address === 'sqlite::memory:')
    throw new UsageError(`${place} is a store in memory, which ends with its process.`)
  if (/^(sqlite:.|postgres(ql)?:\/\/[^/])/.test(address)) return address
  throw new UsageError(
    `${place} holds no address of a store. It is sqlite: and a path, or postgres://user:password@host/database.`,
  )
}

function withoutPassword(option: string, address: string): string {
  if (address.startsWith('sqlite:')) return address
  const url = URL.parse(address)
  // An address that cannot be read may hold a password with characters that are not encoded.
  if (url && url.password === '' && !url.searchParams.has('password')) return address
  throw new UsageError(
    `${option} holds a password, and every user of this machine sees the arguments of its processes. ${remedy(option)} Change the password if others use this machine.`,
  )
}
