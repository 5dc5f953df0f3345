import { type Command, commandsOf } from './command.ts'
import { json } from './shared-options.ts'

export const command: Command = {
  description: 'inspect the running nodes: version, build, workers and clock',
  commands: commandsOf(() => import('../nodes/nodes.ts'), {
    list: { description: 'list the nodes that run on the store', options: json },
  }),
}
