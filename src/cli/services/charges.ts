import type { AppSubscription } from '../../contract/index.ts'
import { decimal, group, ofShop, oneOf, parsed, yes } from '../table.ts'
import { print, printTable } from '../terminal/print.ts'
import { confirmed } from '../terminal/read-input.ts'

const stateOf = ({ status, approvalUrl }: AppSubscription): string =>
  status ?? (typeof approvalUrl === 'string' ? 'waits for approval' : 'unknown')

const charge = { '<id>': 'an id from `charges list`' }
const required = { required: true } as const

const list = ofShop({
  description: 'list the charges',
  examples: ['purveyor charges list bikes'],
  async run({ shop, json }, provider) {
    const found = await Array.fromAsync((await provider.platform(shop)).appSubscriptions.list())
    printTable(json, found, 'There are no charges.', {
      ...{ id: 'id', type: 'type', title: 'title', price: 'price' },
      state: stateOf,
    })
  },
})

const create = ofShop({
  description: 'create a charge and print the address where the merchant approves it',
  examples: [
    'purveyor charges create bikes --type recurring --title Plus --price 9.95 --callback-url https://provider.example.org/charged',
  ],
  options: {
    '--type <type>': oneOf('recurring: every month; onetime: once', ['recurring', 'onetime'], required),
    '--title <title>': { description: 'the title that the merchant sees', ...required },
    '--price <decimal>': parsed('such as 9.95', decimal, required),
    '--callback-url <url>': { description: 'where the platform sends the merchant afterwards', ...required },
    '--upgrade-from <id>': 'the charge that this one replaces',
  },
  async run({ shop, type, title, price, callbackUrl, upgradeFrom: appSubscriptionId, json }, provider) {
    const { appSubscriptions } = await provider.platform(shop)
    const made = await appSubscriptions.create({ type, title, price, callbackUrl, appSubscriptionId })
    print(json, made, () => [
      `Charge ${made.id} is created. The merchant has to approve it here; nothing is charged before:`,
      `  ${made.approvalUrl ?? 'the platform named no address'}`,
    ])
  },
})

const show = ofShop({
  description: 'show one charge',
  examples: ['purveyor charges show bikes 5'],
  arguments: charge,
  async run({ shop, id, json }, provider) {
    const one = await (await provider.platform(shop)).appSubscriptions.get(id)
    print(json, one, () => [
      `Charge ${one.id} of shop ${shop}: ${one.type}, "${one.title}", ${one.price}, ${stateOf(one)}`,
      typeof one.approvalUrl === 'string' && `  to approve: ${one.approvalUrl}`,
    ])
  },
})

const remove = ofShop({
  description: 'withdraw a charge that was not approved',
  examples: ['purveyor charges remove bikes 5'],
  arguments: charge,
  options: yes,
  async run({ shop, id, yes, json }, provider) {
    const sure = await confirmed(`Charge ${id} of shop ${shop} will be withdrawn. Continue?`, yes)
    if (sure) await (await provider.platform(shop)).appSubscriptions.remove(id)
    print(json, { shop, charge: id, removed: sure }, () =>
      sure ? `Charge ${id} is withdrawn.` : 'Nothing was changed.',
    )
  },
})

export const command = group('charge a merchant through the platform', { list, create, show, remove })
