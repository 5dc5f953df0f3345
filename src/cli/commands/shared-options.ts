import type { Command } from './command.ts'
import { count } from './option-values.ts'

// What several commands have, to be spread into their options and arguments.

export const json = { '--json': 'print one JSON value' }
export const readyAsJson = { '--json': 'print the ready line as JSON' }
export const onlyShop = { '--shop <id>': 'only this shop' }
export const shopOfOrder = { '--shop <id>': { description: 'the shop of the order', default: 'default' } }
export const limit = { '--limit <number>': { description: 'at most so many', parse: count, default: 50 } }
export const provider = { '--provider <file>': 'default: provider.ts or src/provider.ts' }
export const dryRun = { '--dry-run': 'only say what would be done' }
export const yes = { '-y, --yes': 'ask nothing' }

export const serviceTypes = ['shipment', 'payment'] as const

/** A command about one shop of the provider in this folder. */
export const ofShop = (command: Command): Command => ({
  ...command,
  arguments: { '<shop>': "the provider's name for it", ...command.arguments },
  options: { ...provider, ...json, ...command.options },
})
