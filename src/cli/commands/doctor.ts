import type { Command } from './command.ts'
import { json, provider } from './shared-options.ts'

export const command: Command = {
  description: 'look a provider over where it runs',
  options: {
    ...provider,
    '--shop <id>': { description: 'the shop whose endpoint is looked at', default: 'default' },
    '--production': 'as if for production, whatever NODE_ENV says',
    ...json,
  },
  load: async () => (await import('../doctor/doctor.ts')).doctor,
}
