import type { Command } from './command.ts'

export const command: Command = {
  description: 'print the contract as OpenAPI 3.1',
  options: { '--url <url>': 'where the provider is reached; default: PURVEYOR_PUBLIC_URL' },
  load: async () => (await import('../openapi.ts')).openapi,
}
