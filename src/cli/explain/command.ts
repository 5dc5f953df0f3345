import { json, plain } from '../table.ts'

export const command = plain({
  description: 'explain a code: why it comes up and what to do',
  examples: ['purveyor explain', 'purveyor explain HOST_NOT_ALLOWED'],
  arguments: { '[code]': 'such as HOST_NOT_ALLOWED, double_paid or a case of check; default: list all' },
  options: json,
  run: async ({ code, json }) => (await import('./explain.ts')).explain(code, json),
})
