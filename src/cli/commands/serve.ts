import type { Command } from './command.ts'
import { port, workers } from './option-values.ts'
import { readyAsJson } from './shared-options.ts'

export const command: Command = {
  description: 'run a provider, in production',
  arguments: { '[file]': 'default: provider.ts or src/provider.ts' },
  options: {
    '-p, --port <number>': { description: 'default: PORT, or 3000', parse: port },
    '--development': 'serve this machine only, with http and loopback addresses open',
    '--tunnel': { description: 'as dev --public-url starts it', hidden: true },
    '--workers <number>': {
      description: 'so many processes on one port; SIGHUP restarts them one by one',
      parse: workers,
    },
    '--show-endpoint': 'print the endpoint, a secret, also where the output is no terminal',
    ...readyAsJson,
  },
  load: async () => (await import('../serve.ts')).serve,
}
