import type { Command } from './table.ts'

export type CommandTable = Readonly<Record<string, () => Promise<{ command: Command }>>>

/** All commands, in the groups and the order of `--help`. Running a command loads its file; help loads all of them. */
const groups: Readonly<Record<string, CommandTable>> = {
  'Build and try': {
    init: () => import('./init.ts'),
    dev: () => import('./dev/dev.ts'),
    sandbox: () => import('./sandbox.ts'),
    simulate: () => import('./simulate.ts'),
    rates: () => import('./rates/rates.ts'),
    check: () => import('./check.ts'),
  },
  'Run and look after': {
    serve: () => import('./serve/command.ts'),
    doctor: () => import('./doctor/doctor.ts'),
    nodes: () => import('./nodes/nodes.ts'),
    db: () => import('./db.ts'),
  },
  Shops: {
    shop: () => import('./shop/shop.ts'),
    services: () => import('./services.ts'),
    charges: () => import('./charges.ts'),
  },
  'Payments and calls': {
    payments: () => import('./payments/payments.ts'),
    webhooks: () => import('./webhooks.ts'),
    pushes: () => import('./pushes.ts'),
    lanes: () => import('./lanes/lanes.ts'),
  },
  'Read on': {
    docs: () => import('./docs/docs.ts'),
    explain: () => import('./explain/command.ts'),
    openapi: () => import('./openapi.ts'),
    completion: () => import('./completion.ts'),
  },
}

export const commands = Object.assign({}, ...Object.values(groups)) as CommandTable

export const groupOf = (name: string): string | undefined =>
  Object.keys(groups).find((group) => Object.hasOwn(groups[group]!, name))
