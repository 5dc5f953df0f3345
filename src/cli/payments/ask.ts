import { inspect } from '../../provider/inspection.ts'
import type { AskedAttempt } from '../../use-cases/payments/ask-payment.ts'
import { type ProviderOption, withProvider } from '../provider/with-provider.ts'
import { paymentNamed } from '../shop-choice.ts'
import { print } from '../terminal/print.ts'

interface Options extends ProviderOption {
  shop?: string
}

/** Asks the payment services of an order's attempts now, by any name that one payment has. Exit code 1 if none of them says how the payment stands. */
export function ask(name: string, { shop: named, ...options }: Options): Promise<void> {
  return withProvider(options, async (provider) => {
    const inspection = inspect(provider)
    const { shopId: shop, orderId: order } = await paymentNamed(await inspection.openStore(), name, named)
    const { before, status, asked } = await inspection.askPayment(shop, order)
    if (!asked.some(({ answered }) => answered)) process.exitCode = 1
    print(options.json, { shop, order, before, status, asked }, () => [
      ...asked.map(lineOf),
      status === before
        ? `Order ${order} is ${status}, as before.`
        : `Order ${order} is ${status} now. It was ${before}.`,
    ])
  })
}

const lineOf = ({ attempt, adapter, answer }: AskedAttempt): string =>
  `${adapter} about attempt ${attempt}: ${answer}`
