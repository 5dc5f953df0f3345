import type { Command } from './command.ts'

/** Commands by their names, each to be loaded. */
export type CommandTable = Readonly<Record<string, () => Promise<{ command: Command }>>>

/** All commands, in the groups and the order of `--help`. Running a command loads that one; help loads all of them. */
const groups: Readonly<Record<string, CommandTable>> = {
  'Build and try': {
    init: () => import('./init.ts'),
    dev: () => import('./dev.ts'),
    sandbox: () => import('./sandbox.ts'),
    simulate: () => import('./simulate.ts'),
    rates: () => import('./rates.ts'),
    check: () => import('./check.ts'),
  },
  'Run and look after': {
    serve: () => import('./serve.ts'),
    doctor: () => import('./doctor.ts'),
    nodes: () => import('./nodes.ts'),
    clock: () => import('./clock.ts'),
    db: () => import('./db.ts'),
  },
  Shops: {
    shop: () => import('./shop.ts'),
    services: () => import('./services.ts'),
    charges: () => import('./charges.ts'),
  },
  'Payments and calls': {
    payments: () => import('./payments.ts'),
    webhooks: () => import('./webhooks.ts'),
    pushes: () => import('./pushes.ts'),
    lanes: () => import('./lanes.ts'),
  },
  'Read on': {
    docs: () => import('./docs.ts'),
    explain: () => import('./explain.ts'),
    openapi: () => import('./openapi.ts'),
    completion: () => import('./completion.ts'),
  },
}

/** All commands by their names. */
export const commands = Object.assign({}, ...Object.values(groups)) as CommandTable

/** The group of `--help` that a command stands in. */
export const groupOf = (name: string): string | undefined =>
  Object.keys(groups).find((group) => Object.hasOwn(groups[group]!, name))
