import type { RateLimits } from './api/rate-limits.ts'
import type { Surface } from './api/surface.ts'
import type { Credentials } from './pages/services.ts'
import type { ScenarioRuns } from './scenarios/runs.ts'
import type { Seeds } from './seed-files.ts'
import type { Shop } from './shop.ts'
import type { State } from './state.ts'

export interface OpenShop {
  shop: Shop
  state: State
  seeds: Seeds
  limits: RateLimits
  api: Credentials
  runs: ScenarioRuns
  /** Made when it is first used: a start does not wait for it. */
  readonly surface: Surface
}
