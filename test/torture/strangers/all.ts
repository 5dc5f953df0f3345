import { tryAddresses } from './addresses.ts'
import { tryAtRest } from './at-rest.ts'
import { attackInProcesses } from './attack-in-processes.ts'
import { tryAudit } from './audit.ts'
import { tryBombs } from './bombs.ts'
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
import { tryIdleSockets, tryUnreadSockets } from './unread-sockets.ts'
import { tryVisitors } from './visitors.ts'

export interface StrangersSizes {
  inputs: number
  sockets: number
  tokens: number
  tabs: number
  slow: number
  unread: number
  /** Idle sockets, and how many files the provider beside them may have open. */
  idle: number
  openFiles?: number
  guesses: number
  floodRounds: number
}

/** What strangers try, in this order: those that measure time come first, while nothing else of ours is busy. */
const attempts = {
  async flood({ floodRounds }) {
    const report = await tryFlood(floodRounds)
    const violation = `${report.failed} calls of a shop beside one that floods were not answered`
    return { ...report, violations: report.failed > 0 ? [violation] : [] }
  },
  async slow(sizes) {
    const report = await trySlowSockets(sizes.slow)
    const violation = `${report.still_open} slow sockets are still open`
    return { ...report, violations: report.still_open > 0 ? [violation] : [] }
  },
  unread: ({ unread }) => tryUnreadSockets(unread),
  idle: ({ idle, openFiles }) => tryIdleSockets(idle, openFiles),
  guesses: ({ guesses }) => tryGuesses(guesses),
  visitors: () => tryVisitors(),
  tenants: ({ tokens }) => tryTenants(tokens),
  pages: ({ tabs }) => tryPages(tabs),
  page_content: () => tryPageContent(),
  returns: () => tryReturns(),
  addresses: () => tryAddresses(),
  bombs: () => tryBombs(),
  development: () => tryDevelopment(),
  canaries: () => plantCanaries(),
  signatures: () => trySignatures(),
  audit: () => tryAudit(),
  rest: () => tryAtRest(),
  developer: () => tryDeveloper(),
  sockets: ({ sockets }) => attackWithSockets(sockets, 1),
  inputs: ({ inputs }, atOnce) => attackInProcesses(inputs, atOnce),
} satisfies Record<string, (sizes: StrangersSizes, atOnce: number) => Promise<{ violations: string[] }>>

type Attempts = typeof attempts
type Reports = { [Name in keyof Attempts]: Omit<Awaited<ReturnType<Attempts[Name]>>, 'violations'> }

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
