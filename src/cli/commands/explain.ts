import { commandOf } from './command.ts'
import { json } from './shared-options.ts'

export const command = commandOf({
  description: 'explain a code: why it comes up and what to do',
  arguments: { '[code]': 'such as HOST_NOT_ALLOWED, double_paid or a case of check; default: list all' },
  options: json,
  load: async () => (await import('../explain/explain.ts')).explain,
})
