import type { Command } from './command.ts'
import { json } from './shared-options.ts'

export const command: Command = {
  description: 'inspect the running nodes: version, build and workers',
  commands: {
    list: {
      description: 'list the nodes that run on the store',
      options: json,
      load: async () => (await import('../nodes.ts')).list,
    },
  },
}
