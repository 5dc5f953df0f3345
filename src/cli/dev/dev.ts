import { isLoopbackHost } from '../../network/private-network.ts'
import { findProviderFile, sampleFile } from '../provider/file.ts'
import { checkRecordFolder } from '../sandbox/sandbox.ts'
import { httpsUrl, parsed, plain, port, readyAsJson } from '../table.ts'
import { UsageError } from '../terminal/usage.ts'

/** The provider runs in a process of its own beside the sandbox shop. */
export const command = plain({
  description: 'run a provider and the sandbox shop, and restart the provider after every change',
  examples: ['purveyor dev', 'purveyor dev --provider rates.ts --port 4000'],
  options: {
    '--provider <file>': 'default: provider.ts or src/provider.ts, otherwise the built-in sample',
    '-p, --port <number>': parsed('port of the provider; the shop takes the next one', port),
    '--public-url <url>': parsed(
      "the https address of a tunnel to this machine, for a platform's own test shop; runs no sandbox",
      httpsUrl,
      { conflicts: ['record'] },
    ),
    '--record <folder>': 'save every call of the shop to a file, with personal data replaced',
    ...readyAsJson,
  },
  async run(options) {
    if (process.env.NODE_ENV === 'production')
      throw new UsageError(
        'dev runs the sandbox shop and opens loopback addresses. In production run purveyor serve.',
      )
    await checkRecordFolder(options.record)
    if (options.publicUrl !== undefined && isLoopbackHost(URL.parse(options.publicUrl)?.hostname ?? ''))
      throw new UsageError(
        '--public-url is the address of a tunnel, and this is a loopback address. Run purveyor dev without it.',
      )
    const { besideSandbox, besideTunnel } = await import('./run.ts')
    const file = findProviderFile(options.provider, sampleFile)
    if (options.publicUrl !== undefined) await besideTunnel(file, options.publicUrl, options)
    else await besideSandbox(file, options)
  },
})
