import type { Command } from './command.ts'

/** All commands in the order of `--help`. Running a command loads that one; help loads all of them. */
export const commands: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  init: () => import('./init.ts'),
  dev: () => import('./dev.ts'),
  serve: () => import('./serve.ts'),
  sandbox: () => import('./sandbox.ts'),
  check: () => import('./check.ts'),
  openapi: () => import('./openapi.ts'),
  doctor: () => import('./doctor.ts'),
  explain: () => import('./explain.ts'),
  docs: () => import('./docs.ts'),
  simulate: () => import('./simulate.ts'),
  payments: () => import('./payments.ts'),
  webhooks: () => import('./webhooks.ts'),
  pushes: () => import('./pushes.ts'),
  lanes: () => import('./lanes.ts'),
  nodes: () => import('./nodes.ts'),
  clock: () => import('./clock.ts'),
  rates: () => import('./rates.ts'),
  shop: () => import('./shop.ts'),
  services: () => import('./services.ts'),
  charges: () => import('./charges.ts'),
  db: () => import('./db.ts'),
}
