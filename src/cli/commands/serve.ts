import { commandOf, parsed } from './command.ts'
import { port, workers } from './option-values.ts'
import { provider, readyAsJson } from './shared-options.ts'

export const command = commandOf({
  description: 'run a provider in production',
  options: {
    ...provider,
    '-p, --port <number>': parsed('default: PORT, or 3000', port),
    '--development': 'serve this machine only, and allow http and loopback addresses',
    '--tunnel': { description: 'as dev --public-url starts it', hidden: true },
    '--workers <number>': parsed(
      'number of processes that share the port; SIGHUP restarts them one by one',
      workers,
    ),
    '--show-endpoint': 'print the endpoint, which is a secret, even if the output is not a terminal',
    ...readyAsJson,
  },
  load: async () => (await import('../serve/serve.ts')).serve,
})
