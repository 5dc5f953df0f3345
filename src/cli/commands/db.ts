import { type Command, commandsOf, parsed } from './command.ts'
import { count } from './option-values.ts'
import { json, yes } from './shared-options.ts'

const copies = () => import('../db-copy.ts')
const source = {
  description: 'the store to copy: the name of an environment variable, @file, or sqlite:path',
  required: true,
} as const

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
    copy: {
      description: 'move everything to another store, such as from SQLite to PostgreSQL',
      load: async () => (await copies()).copy,
      options: {
        '--from <store>': source,
        '--to <store>': {
          description: 'an empty store, named in the same way',
          required: true,
        },
        '--dry-run': 'check both stores and count, and write nothing',
        '--rehearse': 'copy one moment while providers go on; none ever starts on that copy',
        '--without-nul': 'leave out the character NUL, which PostgreSQL does not store',
        '--processes <number>': parsed('how many processes will run on the target', count, { default: 2 }),
        '--batch <rows>': parsed('maximum number of rows in one commit', count, { default: 20_000 }),
        ...json,
      },
    },
    release: {
      description: 'serve a store again that was copied, and its copy no longer',
      load: async () => (await copies()).release,
      options: {
        '--from <store>': { ...source, description: 'the store that was copied, named as for db copy' },
        '--to <store>': 'its copy, which no provider serves any more',
        '--copy-is-gone': 'the copy was deleted',
        ...yes,
        ...json,
      },
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
