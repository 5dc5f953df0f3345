import type { AppSubscription, ChargeType } from '../contract/index.ts'
import { type ProviderOption, withProvider } from './provider/with-provider.ts'
import { confirmed } from './terminal/confirm.ts'
import { print, table } from './terminal/print.ts'

const stateOf = ({ status, approvalUrl }: AppSubscription): string =>
  status ?? (typeof approvalUrl === 'string' ? 'waits for approval' : 'unknown')

export function list(shop: string, options: ProviderOption): Promise<void> {
  return withProvider(options, async (provider) => {
    const found: AppSubscription[] = []
    for await (const one of (await provider.platform(shop)).appSubscriptions.list()) found.push(one)
    print(options.json, found, () =>
      table(found, 'There are no charges.', {
        id: ({ id }) => id,
        type: ({ type }) => type,
        title: ({ title }) => title,
        price: ({ price }) => String(price),
        state: stateOf,
      }),
    )
  })
}

export interface CreateOptions extends ProviderOption {
  type: ChargeType
  title: string
  price: string
  callbackUrl: string
  upgradeFrom?: string
}

export function create(shop: string, options: CreateOptions): Promise<void> {
  return withProvider(options, async (provider) => {
    const { type, title, price, callbackUrl, upgradeFrom, json } = options
    const { appSubscriptions } = await provider.platform(shop)
    const made = await appSubscriptions.create({
      type,
      title,
      price,
      callbackUrl,
      appSubscriptionId: upgradeFrom,
    })
    print(json, made, () => [
      `Charge ${made.id} is created. The merchant has to approve it here; nothing is charged before:`,
      `  ${made.approvalUrl ?? 'the platform named no address'}`,
    ])
  })
}

export function show(shop: string, id: string, options: ProviderOption): Promise<void> {
  return withProvider(options, async (provider) => {
    const one = await (await provider.platform(shop)).appSubscriptions.get(id)
    print(options.json, one, () => [
      `Charge ${one.id} of shop ${shop}: ${one.type}, "${one.title}", ${one.price}, ${stateOf(one)}`,
      ...(typeof one.approvalUrl === 'string' ? [`  to approve: ${one.approvalUrl}`] : []),
    ])
  })
}

export function remove(shop: string, id: string, options: ProviderOption & { yes?: boolean }): Promise<void> {
  return withProvider(options, async (provider) => {
    const sure = await confirmed(`Charge ${id} of shop ${shop} will be withdrawn. Continue?`, options.yes)
    if (sure) await (await provider.platform(shop)).appSubscriptions.remove(id)
    print(options.json, { shop, charge: id, removed: sure }, () =>
      sure ? `Charge ${id} is withdrawn.` : 'Nothing was changed.',
    )
  })
}
