import { type AddressReport, tryAddresses } from './addresses.ts'
import { type AtRestReport, tryAtRest } from './at-rest.ts'
import { attackInProcesses } from './attack-in-processes.ts'
import { type AuditReport, tryAudit } from './audit.ts'
import { type BombsReport, tryBombs } from './bombs.ts'
import { type CanaryReport, plantCanaries } from './canaries.ts'
import { type DeveloperReport, tryDeveloper } from './developer.ts'
import { type DevelopmentReport, tryDevelopment } from './development.ts'
import { type GuessesReport, tryGuesses } from './guesses.ts'
import type { HostileReport } from './hostile-inputs.ts'
import { type PageContentReport, tryPageContent } from './page-content.ts'
import { type PagesReport, tryPages } from './pages.ts'
import { attackWithSockets, type SocketReport } from './raw-sockets.ts'
import { type ReturnsReport, tryReturns } from './returns.ts'
import { type SignaturesReport, trySignatures } from './signatures.ts'
import { type FloodReport, type SlowReport, tryFlood, trySlowSockets } from './slow-sockets.ts'
import { type TenantsReport, tryTenants } from './tenants.ts'
import { type IdleReport, tryIdleSockets, tryUnreadSockets, type UnreadReport } from './unread-sockets.ts'
import { tryVisitors, type VisitorsReport } from './visitors.ts'

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

export interface Strangers {
  inputs: Omit<HostileReport, 'violations'>
  sockets: Omit<SocketReport, 'violations'>
  tenants: Omit<TenantsReport, 'violations'>
  addresses: Omit<AddressReport, 'violations'>
  bombs: Omit<BombsReport, 'violations'>
  development: Omit<DevelopmentReport, 'violations'>
  canaries: Omit<CanaryReport, 'violations'>
  signatures: Omit<SignaturesReport, 'violations'>
  audit: Omit<AuditReport, 'violations'>
  rest: Omit<AtRestReport, 'violations'>
  developer: Omit<DeveloperReport, 'violations'>
  pages: Omit<PagesReport, 'violations'>
  page_content: Omit<PageContentReport, 'violations'>
  returns: Omit<ReturnsReport, 'violations'>
  slow: SlowReport
  flood: FloodReport
  unread: Omit<UnreadReport, 'violations'>
  idle: Omit<IdleReport, 'violations'>
  guesses: Omit<GuessesReport, 'violations'>
  visitors: Omit<VisitorsReport, 'violations'>
  violations: string[]
}

/** All that strangers may try, for as long as it takes. */
export async function runStrangers(sizes: StrangersSizes, atOnce: number): Promise<Strangers> {
  const violations: string[] = []
  const noted = <R extends { violations: string[] }>({
    violations: found,
    ...report
  }: R): Omit<R, 'violations'> => {
    violations.push(...found)
    return report
  }
  // First, while nothing else of ours is busy.
  const flood = await tryFlood(sizes.floodRounds)
  const slow = await trySlowSockets(sizes.slow)
  if (flood.failed > 0)
    violations.push(`${flood.failed} calls of a shop beside one that floods were not answered`)
  if (slow.still_open > 0) violations.push(`${slow.still_open} slow sockets are still open`)
  const unread = noted(await tryUnreadSockets(sizes.unread))
  const idle = noted(await tryIdleSockets(sizes.idle, sizes.openFiles))
  const guesses = noted(await tryGuesses(sizes.guesses))
  const visitors = noted(await tryVisitors())
  const tenants = noted(await tryTenants(sizes.tokens))
  const pages = noted(await tryPages(sizes.tabs))
  const page_content = noted(await tryPageContent())
  const returns = noted(await tryReturns())
  const addresses = noted(await tryAddresses())
  const bombs = noted(await tryBombs())
  const development = noted(await tryDevelopment())
  const canaries = noted(await plantCanaries())
  const signatures = noted(await trySignatures())
  const audit = noted(await tryAudit())
  const rest = noted(await tryAtRest())
  const developer = noted(await tryDeveloper())
  const sockets = noted(await attackWithSockets(sizes.sockets, 1))
  const inputs = noted(await attackInProcesses(sizes.inputs, atOnce))
  return {
    inputs,
    sockets,
    tenants,
    addresses,
    bombs,
    development,
    canaries,
    signatures,
    audit,
    rest,
    developer,
    pages,
    page_content,
    returns,
    slow,
    flood,
    unread,
    idle,
    guesses,
    visitors,
    violations,
  }
}
