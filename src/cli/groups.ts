import type { Command } from './table.ts'

export type CommandTable = Readonly<Record<string, () => Promise<{ command: Command }>>>

/** All commands, in the groups and the order of `--help`. Running a command loads its file; help loads all of them. */
const groups: Readonly<Record<string, CommandTable>> = {
  'Build and try': {
    init: () => import('./dev/init.ts'),
    dev: () => import('./dev/dev.ts'),
    sandbox: () => import('./sandbox/sandbox.ts'),
    simulate: () => import('./sandbox/simulate.ts'),
    rates: () => import('./rates/rates.ts'),
    check: () => import('./sandbox/check.ts'),
  },
  'Run and look after': {
    serve: () => import('./serve/command.ts'),
    console: () => import('./serve/console.ts'),
    doctor: () => import('./doctor/doctor.ts'),
    nodes: () => import('./serve/nodes.ts'),
    db: () => import('./db/db.ts'),
  },
  Shops: {
    shop: () => import('./shop/shop.ts'),
    services: () => import('./services/services.ts'),
    charges: () => import('./services/charges.ts'),
  },
  'Payments and calls': {
    payments: () => import('./payments/payments.ts'),
    webhooks: () => import('./webhooks/webhooks.ts'),
    pushes: () => import('./webhooks/pushes.ts'),
    lanes: () => import('./webhooks/lanes.ts'),
  },
  'Read on': {
    docs: () => import('./docs/docs.ts'),
    explain: () => import('./explain/command.ts'),
    openapi: () => import('./docs/openapi.ts'),
    completion: () => import('./completion.ts'),
  },
}

export const commands = Object.assign({}, ...Object.values(groups)) as CommandTable

export const groupOf = (name: string): string | undefined =>
  Object.keys(groups).find((group) => Object.hasOwn(groups[group]!, name))
