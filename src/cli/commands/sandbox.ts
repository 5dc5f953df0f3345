import { type Command, commandsOf, parsed } from './command.ts'
import { port } from './option-values.ts'
import { json, readyAsJson, seed, servedOption } from './shared-options.ts'

const url = { '--url <url>': 'address of the shop; default: PURVEYOR_SANDBOX_URL, or http://127.0.0.1:3001' }

export const command: Command = {
  description: 'run the sandbox shop alone, for a provider that runs elsewhere',
  arguments: {
    '[endpoint]':
      "a provider's urlEndpoint; default: none; register services on the shop's page or through its API",
  },
  options: {
    '--for <type...>': servedOption('what to register the endpoint for'),
    '-p, --port <number>': parsed('port of the shop', port, { default: 3001 }),
    '--file <file>': 'store everything in this SQLite file; default: in memory',
    '--record <folder>': 'save every call to a provider to a file, with personal data replaced',
    ...seed,
    '--key <text>': 'user name of the API, 32 letters and digits; default: a random one',
    '--secret <text>': 'password of the API, 32 letters and digits; default: a random one',
    '--https': 'listen on https; prints a file with the authority that clients should trust',
    ...readyAsJson,
  },
  load: async () => (await import('../sandbox.ts')).sandbox,
  commands: commandsOf(() => import('../sandbox.ts'), {
    switches: {
      description: 'show or set the switches of a running shop',
      arguments: { '[switches...]': 'such as webhook=refused; reset restores the defaults' },
      options: { ...url, ...json },
    },
    clock: {
      description: 'move the clock of a running shop forward',
      arguments: { '<time>': 'such as 30s, 10m, 2h, 1d or 1month' },
      options: { ...url, ...json },
    },
  }),
}
