import { tryAddresses } from './addresses.ts'
import { tryAtRest } from './at-rest.ts'
import { attackInProcesses } from './attack-in-processes.ts'
import { tryAudit } from './audit.ts'
import { plantCanaries } from './canaries.ts'
import { tryDeveloper } from './developer.ts'
import { tryDevelopment } from './development.ts'
import { tryGuesses } from './guesses.ts'
import { tryPageContent } from './page-content.ts'
import { tryPages } from './pages.ts'
import { attackWithSockets } from './raw-sockets.ts'
import { tryReturns } from './returns.ts'
import { trySignatures } from './signatures.ts'
import { tryFlood, trySlowSockets } from './slow-sockets.ts'
import { tryTenants } from './tenants.ts'
import { isSlow, tryIdleSockets, tryUnreadSockets } from './unread-sockets.ts'
import { tryVisitors } from './visitors.ts'

/** How much is tried of each. Those that may be left out have a default of their own. */
export interface StrangersSizes {
  inputs: number
  points?: number
  sockets: number
  tokens: number
  tabs: number
  slow: number
  /** Normal calls beside slow sockets, and beside those that are not read. */
  calls?: number
  calm?: number
  unread: number
  /** How often what is slow is tried again. */
  tries?: number
  /** Idle sockets, and how many files the provider beside them may have open. */
  idle: number
  openFiles?: number
  guesses: number
  crowd?: number
  floodRounds: number
  /** The command line. Default: the source. */
  main?: string
}

/** What strangers try, in this order: those that measure time come first, while nothing else of ours is busy. */
export const attempts = {
  flood: ({ floodRounds }) => tryFlood(floodRounds),
  slow: ({ slow, calls }) => trySlowSockets(slow, calls),
  unread: ({ unread, tries, calm }) => tryUnreadSockets(unread, tries, calm),
  idle: ({ idle, openFiles, tries }) => tryIdleSockets(idle, openFiles, tries),
  guesses: ({ guesses }) => tryGuesses(guesses),
  visitors: ({ crowd }) => tryVisitors(crowd),
  tenants: ({ tokens, main }) => tryTenants(tokens, main),
  pages: ({ tabs }) => tryPages(tabs),
  page_content: () => tryPageContent(),
  returns: () => tryReturns(),
  addresses: () => tryAddresses(),
  development: () => tryDevelopment(),
  canaries: () => plantCanaries(),
  signatures: () => trySignatures(),
  audit: () => tryAudit(),
  rest: () => tryAtRest(),
  developer: ({ main }) => tryDeveloper(main),
  sockets: ({ sockets }) => attackWithSockets(sockets, 1),
  inputs: ({ inputs, points }, atOnce) => attackInProcesses(inputs, atOnce, points),
} satisfies Record<string, (sizes: StrangersSizes, atOnce: number) => Promise<{ violations: string[] }>>

type Attempts = typeof attempts
export type StrangersAttempt = keyof Attempts
type Reports = { [Name in StrangersAttempt]: Omit<Awaited<ReturnType<Attempts[Name]>>, 'violations'> }

/** All that strangers may try, for as long as it takes. */
export async function runStrangers(sizes: StrangersSizes, atOnce: number) {
  const reports: Record<string, object> = {}
  const violations: string[] = []
  for (const [name, attempt] of Object.entries(attempts)) {
    const { violations: found, ...report } = await attempt(sizes, atOnce)
    reports[name] = report
    violations.push(...found)
  }
  return { ...(reports as Reports), violations }
}

const small: StrangersSizes = {
  ...{ inputs: 4_000, sockets: 500, tokens: 200, tabs: 2, slow: 40, unread: 20, tries: 1 },
  ...{ idle: 500, openFiles: 500, guesses: 500, floodRounds: 1 },
}

/** One of them in its small form. A busy machine holds others up too, and would catch any bug: that is no violation here. */
export async function tryStrangers(name: StrangersAttempt): Promise<{ violations: string[] }> {
  const { violations } = await attempts[name](small, 1)
  return { violations: violations.filter((one) => !isSlow(one)) }
}
