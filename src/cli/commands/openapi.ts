import { commandOf } from './command.ts'

export const command = commandOf({
  description: 'print the contract as OpenAPI 3.1',
  options: { '--url <url>': 'address of the provider; default: PURVEYOR_PUBLIC_URL' },
  load: async () => (await import('../openapi.ts')).openapi,
})
