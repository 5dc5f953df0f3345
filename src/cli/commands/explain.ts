import type { Command } from './command.ts'
import { json } from './shared-options.ts'

export const command: Command = {
  description: 'say why a code comes up, and what to do about it',
  arguments: { '[code]': 'such as HOST_NOT_ALLOWED, double_paid or a case of check; default: lists them' },
  options: json,
  load: async () => (await import('../explain.ts')).explain,
}
