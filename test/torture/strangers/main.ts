// One thing that strangers may try, in a process of its own: `node main.ts [attempt]` prints one JSON object.
import { tryAddresses } from './addresses.ts'
import { tryAtRest } from './at-rest.ts'
import { tryAudit } from './audit.ts'
import { tryBombs } from './bombs.ts'
import { plantCanaries } from './canaries.ts'
import { tryDeveloper } from './developer.ts'
import { tryDevelopment } from './development.ts'
import { tryGuesses } from './guesses.ts'
import { attackWithInputs } from './hostile-inputs.ts'
import { tryPageContent } from './page-content.ts'
import { tryPages } from './pages.ts'
import { tryReturns } from './returns.ts'
import { trySignatures } from './signatures.ts'
import { tryTenants } from './tenants.ts'
import { isSlow, tryIdleSockets, tryUnreadSockets } from './unread-sockets.ts'
import { tryVisitors } from './visitors.ts'

const attempts = {
  tenants: () => tryTenants(200),
  pages: () => tryPages(2),
  'page content': () => tryPageContent(),
  returns: () => tryReturns(),
  addresses: () => tryAddresses(),
  bombs: () => tryBombs(),
  canaries: () => plantCanaries(),
  signatures: () => trySignatures(),
  audit: () => tryAudit(),
  developer: () => tryDeveloper(),
  development: () => tryDevelopment(),
  rest: () => tryAtRest(),
  inputs: () => attackWithInputs(4000, 1),
  guesses: () => tryGuesses(500),
  visitors: () => tryVisitors(),
  unread: () => tryUnreadSockets(20, 1),
  idle: () => tryIdleSockets(500, 500, 1),
}

export type Attempt = keyof typeof attempts

export interface StrangersReport {
  violations: string[]
}

const named = process.argv[2] as Attempt | undefined
const violations: string[] = []
for (const attempt of named ? [attempts[named]] : Object.values(attempts)) {
  const report = await attempt().catch((error: unknown) => ({ violations: [`it broke: ${error}`] }))
  // A busy machine holds others up too, and would catch any bug.
  violations.push(...report.violations.filter((one) => !isSlow(one)))
}
console.log(JSON.stringify({ violations: violations.slice(0, 20) } satisfies StrangersReport))
process.exit()
