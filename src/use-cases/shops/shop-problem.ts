import type { CodeText } from '../../codes.ts'

export const shopProblems = {
  UNKNOWN_SHOP: {
    why: 'There is no shop of this name.',
    remedy: 'See `purveyor shop list`, and add one with `purveyor shop add`.',
  },
  SHOP_EXISTS: {
    why: 'A shop of this name is there already.',
    remedy: 'Choose another name, or change the one that is there.',
  },
  SHOP_NAME_INVALID: {
    why: 'A shop is named in letters, digits, - and _, 64 at most.',
    remedy: 'Choose such a name.',
  },
  PLATFORM_ID_INVALID: {
    why: 'The id of a shop at its platform is a whole number of at most 16 digits.',
    remedy: 'Look it up in the back office of the shop, and give it with --platform-id.',
  },
  HOST_NAME_INVALID: {
    why: 'This is no host name.',
    remedy: 'Name a host without scheme, port and path, such as shop.example.com.',
  },
  HOSTS_MISSING: {
    why: 'A closed list without a host would refuse every payment of the shop.',
    remedy: 'Name its hosts: `purveyor shop hosts confirm <shop> <host...>`.',
  },
  PAYMENT_UNDER_WAY: {
    why: 'A payment of it is not at rest: money may still come.',
    remedy: 'Wait until it has ended, or add --force and lose what becomes of it.',
  },
  NO_CREDENTIALS: {
    why: "Nobody has given the credentials for the API of the shop's platform.",
    remedy: 'Run `purveyor shop connect <shop>` with key and secret in the environment.',
  },
  SHOP_TWICE: {
    why: 'Two lines name one shop.',
    remedy: 'Leave one of them, or give one another name.',
  },
} satisfies Record<string, CodeText>

/** There is no shop of this name, or it may not be called so. */
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
