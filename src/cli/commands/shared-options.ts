import { bothServed } from '../../contract/served.ts'
import { type Command, oneOf, parsed } from './command.ts'
import { count, currency } from './option-values.ts'

// Options and arguments that several commands share.

export const json = { '--json': 'print one JSON value' }
export const readyAsJson = { '--json': 'print the ready line as JSON' }
export const onlyShop = { '--shop <id>': 'only this shop' }
export const shopOfOrder = { '--shop <id>': 'the shop of the order; default: the one that has it' }
export const limit = { '--limit <number>': parsed('maximum number of lines', count, { default: 50 }) }
export const provider = { '--provider <file>': 'default: provider.ts or src/provider.ts' }
export const place = {
  '--country <code>': 'where the customers live; default: nl',
  '--zipcode <zipcode>': 'their zipcode; default: an example of the country',
  '--currency <code>': parsed('currency of the shop; default: eur', currency),
}
export const dryRun = { '--dry-run': 'show what would change, and change nothing' }
export const seed = {
  '--seed <path>': 'records of the shop: a file such as products.json, or a folder of them or of a recording',
}
export const yes = { '-y, --yes': 'ask no questions' }

/** `--for`: rates, payments, or both. */
export const servedOption = (description: string) => oneOf(`${description}; default: both`, bothServed)

/** A command about one shop of the provider in this folder. */
export const ofShop = <
  const Arguments extends Named = Record<never, never>,
  const Options extends NonNullable<Command['options']> = Record<never, never>,
>(
  description: string,
  command: { arguments?: Arguments; options?: Options } = {},
) => ({
  description,
  arguments: { '<shop>': 'the id of the shop', ...(command.arguments as Arguments) },
  options: { ...provider, ...json, ...(command.options as Options) },
})

type Named = NonNullable<Command['arguments']>

/** The names that one payment has, for a command about it. */
export const paymentName =
  'order id or number, reference, event of the service, attempt id, amount or page token'
