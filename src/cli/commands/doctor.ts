import { commandOf } from './command.ts'
import { json, provider } from './shared-options.ts'

export const command = commandOf({
  description: 'diagnose this installation',
  options: {
    ...provider,
    '--shop <id>': 'the shop whose endpoint to test; default: the only one',
    '--production': 'apply the rules of production, whatever NODE_ENV says',
    ...json,
  },
  load: async () => (await import('../doctor/doctor.ts')).doctor,
})
