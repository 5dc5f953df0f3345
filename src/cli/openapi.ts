import { openApiDocument } from '../http/openapi/document.ts'
import { withoutSlash } from '../shops/hosts.ts'
import { version } from '../version.ts'
import { print } from './terminal/print.ts'
import { UsageError } from './usage.ts'

export function openapi({ url = process.env.PURVEYOR_PUBLIC_URL ?? 'https://provider.example.org' }): void {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError(`--url ${url} is not an http or https address.`)
  const document = openApiDocument({ publicUrl: withoutSlash(url), version })
  print(false, undefined, () => JSON.stringify(document, null, 2).split('\n'))
}
