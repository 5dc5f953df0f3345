import { resolve } from 'node:path'
import closeWithGrace from 'close-with-grace'
import { createSandbox } from '../../sandbox/index.ts'
import { sampleFile } from '../provider/file.ts'
import { ProviderProcess, startScenarioProvider } from '../provider/process.ts'
import { apiLine, unseenOrder } from '../sandbox/sandbox.ts'
import { consoleLine, print } from '../terminal/print.ts'
import { envFile } from '../terminal/read-input.ts'
import { listenFault } from '../terminal/usage.ts'
import { Restarts, type RunState, slowStart } from './restarts.ts'
import { Saves, watchedFiles } from './saves.ts'
import { TariffReviews } from './tariff-reviews.ts'

interface Beside {
  port?: number
  record?: string
  json?: boolean
}

async function started(file: string, { port, record }: Beside, publicUrl?: string) {
  // The built-in sample only has the settings of this folder.
  const own = record === undefined ? [] : [resolve(record)]
  const watched = watchedFiles(file === sampleFile ? undefined : file, process.cwd(), own)
  const saves = new Saves(watched)
  saves.add([resolve('.env')])
  // It shows the findings in the tariffs: other files have none.
  const reviews = new TariffReviews()
  const provider = new ProviderProcess(file, {
    port,
    publicUrl,
    ended: (fault) => running.fail(fault),
    found(files) {
      saves.add(files)
      void reviews.review(files.filter((one) => /\.(csv|json)$/.test(one)))
    },
  })
  const running = new Restarts(provider, saves, publicUrl !== undefined)
  await running.start()
  const stop = async () => {
    reviews.close()
    await running.stop()
  }
  return { provider, running, stop }
}

type Ended = Exclude<RunState, { is: 'starting' }>

/** Restarts the provider after each save until a signal stops all of it. `show` gets the end of each start until one runs. */
async function goOn(running: Restarts, show: (state: Ended) => void, stop: () => Promise<unknown>) {
  const onSignals = closeWithGrace({ delay: 15_000, logger: false }, async () => void (await stop()))
  let isShown = false
  running.follow((state) => {
    if (isShown || state.is === 'starting') return
    isShown = state.is === 'running'
    show(state)
  })
  await running.afterSaves().catch(async (error: unknown) => {
    // It would end the process with 0.
    onSignals.uninstall()
    await stop()
    throw error
  })
}

export async function besideTunnel(file: string, publicUrl: string, { port, json }: Beside): Promise<void> {
  const { provider, running, stop } = await started(file, { port }, publicUrl)
  const show = ({ is, ...ready }: Ended) => {
    if (!('url' in ready)) return
    print(json, { ready: true, ...ready, port: provider.port }, () => [
      'Your provider runs under the rules of production, with its developmentOnly adapters in mode test.',
      `  Provider  ${ready.url}   point your tunnel at http://127.0.0.1:${provider.port}`,
      `  Endpoint  ${ready.endpoint}   register it with a test shop of your platform`,
      '  Payments of these adapters move no money: register no real shop. Ctrl+C stops.',
    ])
  }
  await goOn(running, show, stop)
}

/** The shop keeps its carts and orders over the restarts of the provider. */
export async function besideSandbox(file: string, options: Beside): Promise<void> {
  const { port, record, json } = options
  const { provider, running, stop } = await started(file, options)
  // The port after the provider's. A provider that has not started yet takes the one of the options, `PORT` or `.env`.
  const wanted = port ?? Number({ ...envFile(), ...process.env }.PORT || 3000)
  const taken = provider.port ?? wanted
  const sandbox = createSandbox({
    port: wanted === 0 || !(taken < 65_535) ? 0 : taken + 1,
    firstOrder: unseenOrder(),
    moveProviders: (ms) => provider.advance(ms),
    scenarioProvider: () => startScenarioProvider(file),
  })
  const shop = await sandbox.listen().catch(async (error: NodeJS.ErrnoException) => {
    await stop()
    throw listenFault(error, ', the port of the shop,')
  })

  if (record !== undefined) sandbox.record(record)
  running.follow((state) => sandbox.setProvider(state))
  // Last, so that a program that acts on this line at once is heard: a change restarts, a signal stops.
  const show = ({ is, ...state }: Ended) =>
    print(json, { ready: is === 'running', ...state, sandbox: shop, api: sandbox.api }, () => [
      'fault' in state
        ? `A shop is ready. Your provider ${state.fault === slowStart ? 'is still starting' : 'starts as soon as you have corrected it'}.`
        : file === sampleFile
          ? 'The built-in sample is ready: rates, payments and a shop.'
          : 'Your provider and a shop are ready.',
      `  Shop      ${shop}   place an order here`,
      `  Log       ${shop}/log   calls of the shop and their answers`,
      ...('fault' in state
        ? []
        : [
            `  Provider  ${state.url}`,
            `  Endpoint  ${state.endpoint}`,
            `  ${consoleLine(`${state.url}/console`)}`,
            `  ${apiLine(sandbox.api)}`,
            '  Development: http and loopback addresses are allowed. Ctrl+C stops.',
          ]),
    ])
  await goOn(running, show, () => Promise.all([stop(), sandbox.close()]))
}
