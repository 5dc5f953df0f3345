import { type Command, commandsOf, parsed } from './command.ts'
import { count } from './option-values.ts'
import { json } from './shared-options.ts'

export const command: Command = {
  description: 'maintain the store',
  commands: commandsOf(() => import('../db.ts'), {
    migrate: {
      description: 'update the tables of the store',
      options: { '--json': 'print the result as JSON' },
    },
    backup: {
      description: 'copy the store to a file, even while a provider runs',
      arguments: { '<file>': 'a new file' },
      options: json,
    },
    prune: {
      description: 'erase old payments that are settled',
      options: {
        '--older-than <days>': parsed('default: PURVEYOR_RETENTION_DAYS, or 730', count),
        '--dry-run': 'only count them',
        ...json,
      },
    },
  }),
}
