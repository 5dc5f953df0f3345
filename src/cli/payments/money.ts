import { hasCode } from '../../errors.ts'
import { inspect } from '../../provider/inspection.ts'
import type { MovedMoney } from '../../use-cases/payments/move-money.ts'
import { type ProviderOption, withProvider } from '../provider/with-provider.ts'
import { paymentOf } from '../shop-choice.ts'
import { systemUser } from '../system-user.ts'
import { print } from '../terminal/print.ts'
import { checkFailed, UsageError } from '../usage.ts'

interface Options extends ProviderOption {
  shop?: string
  attempt?: string
  amount?: string
  key?: string
}

/** Asks the payment service of an order for a refund. Exit code 1 if it refuses, or if the outcome is unknown. */
export const refund = (order: string, options: Options): Promise<void> => move('refund', order, options)

/** Asks the payment service of an order to capture authorised money. */
export const capture = (order: string, options: Options): Promise<void> => move('capture', order, options)

function move(
  kind: 'refund' | 'capture',
  order: string,
  { shop: named, attempt, amount, key, ...options }: Options,
): Promise<void> {
  return withProvider(options, async (provider) => {
    const { shopId: shop } = await paymentOf(await inspect(provider).openStore(), order, named)
    const ref = attempt === undefined ? { shop, orderId: order } : { attemptId: attempt }
    const asked = {
      ...(amount !== undefined && { amount }),
      ...(key !== undefined && { key }),
      by: systemUser(),
    }
    const moved = await provider.payments[kind](ref, asked).catch((error: unknown) => {
      if (hasCode(error, 'ARGUMENT_INVALID')) throw new UsageError(`${error.message}.`)
      if (hasCode(error, 'MONEY_UNAVAILABLE', 'MONEY_UNKNOWN')) throw checkFailed(error.message)
      throw error
    })
    if (moved.refused !== undefined) process.exitCode = 1
    print(options.json, { shop, order, ...moved }, () => [lineOf(kind, moved), ledgerLine(moved)])
  })
}

const lineOf = (kind: string, { amount, reported, currency, refused, key }: MovedMoney): string =>
  refused === undefined
    ? reported === undefined
      ? `The ${kind} of ${amount} ${currency} is done (key ${key}).`
      : `A ${kind} of ${amount} ${currency} was asked for, and the payment service reported ${reported} ${currency} (key ${key}).`
    : `The payment service refused the ${kind} of ${amount} ${currency}: ${refused}`

const ledgerLine = ({
  ledger: { received, underpaid, refunded, chargedBack, net, currency },
  status,
}: MovedMoney): string =>
  `The payment is ${status}: received ${received}${Number(underpaid) > 0 ? ` (${underpaid} short, which is let pass)` : ''}, refunded ${refunded}, charged back ${chargedBack}, ${net} ${currency} left.`
