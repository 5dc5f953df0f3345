import type { Command } from './command.ts'
import { port, workers } from './option-values.ts'
import { readyAsJson } from './shared-options.ts'

export const command: Command = {
  description: 'run a provider in production',
  arguments: { '[file]': 'default: provider.ts or src/provider.ts' },
  options: {
    '-p, --port <number>': { description: 'default: PORT, or 3000', parse: port },
    '--development': 'serve this machine only, and allow http and loopback addresses',
    '--tunnel': { description: 'as dev --public-url starts it', hidden: true },
    '--workers <number>': {
      description: 'number of processes that share the port; SIGHUP restarts them one by one',
      parse: workers,
    },
    '--show-endpoint': 'print the endpoint, which is a secret, even if the output is not a terminal',
    ...readyAsJson,
  },
  load: async () => (await import('../serve.ts')).serve,
}
