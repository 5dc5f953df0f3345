import { numberOf, parsed, plain, port, provider, readyAsJson } from '../table.ts'

const takes = 'Write a whole number from 1 to 64; the number of cores is a good choice.'

export const command = plain({
  description: 'run a provider in production',
  examples: ['purveyor serve', 'purveyor serve --provider rates.ts --port 8080 --workers 4'],
  options: {
    ...provider,
    '-p, --port <number>': parsed('default: PORT, or 3000', port),
    '--development': 'serve this machine only, and allow http and loopback addresses',
    '--workers <number>': parsed(
      'number of processes that share the port; SIGHUP restarts them one by one',
      numberOf(takes, /^[1-9]\d?$/, 64),
    ),
    '--show-endpoint': 'print the endpoint, which is a secret, even if the output is not a terminal',
    ...readyAsJson,
  },
  run: async (given) => (await import('./serve.ts')).serve(given),
})
