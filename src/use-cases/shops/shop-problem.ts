import type { CodeText } from '../../codes.ts'

export const shopProblems = {
  UNKNOWN_SHOP: {
    why: 'There is no shop with this name.',
    remedy: 'See `purveyor shop list`, and add one with `purveyor shop add`.',
  },
  SHOP_EXISTS: {
    why: 'A shop with this name exists already.',
    remedy: 'Choose another name, or change the existing shop.',
  },
  SHOP_NAME_INVALID: {
    why: 'The name of a shop has lower-case letters, digits, - and _, at most 63.',
    remedy: 'Choose such a name, for example bikes-nl.',
  },
  PLATFORM_ID_INVALID: {
    why: 'The id of a shop at its platform is a whole number of at most 16 digits.',
    remedy: 'Look it up in the back office of the shop, and give it with --platform-id.',
  },
  HOST_NAME_INVALID: {
    why: 'This is not a host name.',
    remedy: 'Name a host without scheme, port and path, such as shop.example.com.',
  },
  HOSTS_MISSING: {
    why: 'A closed list without a host would refuse every payment of the shop.',
    remedy: 'Name its hosts: `purveyor shop hosts confirm <shop> <host...>`.',
  },
  PAYMENT_UNDER_WAY: {
    why: 'A payment has not ended: money may still come.',
    remedy: 'Wait until it has ended, or add --force and lose its outcome.',
  },
  NO_CREDENTIALS: {
    why: "The credentials for the API of the shop's platform are not set.",
    remedy: 'Run `purveyor shop connect <shop>` with key and secret in the environment.',
  },
  SHOP_TWICE: {
    why: 'Two lines name one shop.',
    remedy: 'Remove one of them, or give one another name.',
  },
} satisfies Record<string, CodeText>

/** There is no shop with this name, or the name is not allowed. */
export class ShopProblem extends Error {
  override readonly name = 'ShopProblem'
  readonly code: keyof typeof shopProblems
  constructor(code: ShopProblem['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const unknownShop = (id: string): ShopProblem =>
  new ShopProblem('UNKNOWN_SHOP', `There is no shop ${id}. See: purveyor shop list`)
