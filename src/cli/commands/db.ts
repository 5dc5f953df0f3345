import type { Command } from './command.ts'
import { count } from './option-values.ts'
import { json } from './shared-options.ts'

export const command: Command = {
  description: 'look after the store',
  commands: {
    migrate: {
      description: 'bring the tables up to date',
      options: { '--json': 'print the result as JSON' },
      load: async () => (await import('../db.ts')).migrate,
    },
    backup: {
      description: 'copy the store into a file, also while a provider runs',
      arguments: { '<file>': 'a new file' },
      options: json,
      load: async () => (await import('../db.ts')).backup,
    },
    prune: {
      description: 'erase payments that have come to rest',
      options: {
        '--older-than <days>': { description: 'default: PURVEYOR_RETENTION_DAYS, or 730', parse: count },
        '--dry-run': 'only say how many',
        ...json,
      },
      load: async () => (await import('../db.ts')).prune,
    },
  },
}
