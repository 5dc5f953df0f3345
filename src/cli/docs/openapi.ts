import { withoutSlash } from '../../shops/shop.ts'
import { httpUrl, httpUrlIn, parsed, plain } from '../table.ts'
import { print } from '../terminal/print.ts'

export const command = plain({
  description: 'print the contract as OpenAPI 3.1',
  examples: ['purveyor openapi --url https://provider.example.org'],
  options: { '--url <url>': parsed('address of the provider; default: PURVEYOR_PUBLIC_URL', httpUrl) },
  async run({ url = httpUrlIn('PURVEYOR_PUBLIC_URL', 'https://provider.example.org') }) {
    const { openApiDocument } = await import('../../http/openapi/document.ts')
    const { version } = await import('../../version.ts')
    const document = openApiDocument({ publicUrl: withoutSlash(url), version })
    print(false, undefined, () => JSON.stringify(document, null, 2).split('\n'))
  },
})
