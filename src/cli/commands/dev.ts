import { commandOf, parsed } from './command.ts'
import { httpsUrl, port } from './option-values.ts'
import { readyAsJson } from './shared-options.ts'

export const command = commandOf({
  description: 'run a provider and the sandbox shop, and restart the provider after every change',
  options: {
    '--provider <file>': 'default: provider.ts or src/provider.ts, otherwise the built-in sample',
    '-p, --port <number>': parsed('port of the provider; the shop takes the next one', port),
    '--public-url <url>': parsed(
      "the https address of a tunnel to this machine, for a platform's own test shop; runs no sandbox",
      httpsUrl,
    ),
    '--record <folder>': 'save every call of the shop to a file, with personal data replaced',
    ...readyAsJson,
  },
  load: async () => (await import('../dev/dev.ts')).dev,
})
