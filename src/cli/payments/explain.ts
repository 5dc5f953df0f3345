import { checkoutMessage } from '../../conformance/messages.ts'
import { counted } from '../../printable.ts'
import { inspect } from '../../provider/inspection.ts'
import type { ExplainedMethods } from '../../use-cases/payments/list-payment-methods.ts'
import { loneShop } from '../provider/lone-shop.ts'
import { providerOf } from '../provider/with-provider.ts'
import { print } from '../terminal/print.ts'
import { UsageError } from '../usage.ts'

/** Asks the payment adapters with a made-up checkout, as `doctor` does, and says why each method is offered or not. */
export async function explain({
  provider: file,
  shop: asked,
  json,
}: {
  provider?: string
  shop?: string
  json?: boolean
}): Promise<void> {
  const provider = await providerOf(file, { silent: true })
  const shop = asked ?? (await loneShop(provider))
  if (shop === undefined) throw new UsageError('Name the shop with --shop.')
  const asking = inspect(provider).askMethods(checkoutMessage(undefined), { shop })
  const adapters = await asking.finally(() => provider.stop())
  print(json, { shop, adapters }, () => [
    `checkout of shop ${shop}: ${counted(
      adapters.reduce((sum, { methods }) => sum + methods.length, 0),
      'method',
    )}`,
    ...adapters.flatMap(explainedLines),
  ])
  if (adapters.some(({ result }) => result === 'failed')) process.exitCode = 1
}

const explainedLines = ({ adapter, ms, result, reason, methods, leftOut }: ExplainedMethods): string[] => [
  '',
  `${adapter}: ${result}${reason === undefined ? '' : `, ${reason}`} (${ms} ms)`,
  ...methods.map(({ id, title }) => `  in      ${id}  ${title}`),
  ...leftOut.map(({ method, fault }) => `  out     method ${method}  ${fault}`),
]
