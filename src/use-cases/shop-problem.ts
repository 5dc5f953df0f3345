/** There is no shop of this name, or it may not be called so. */
export class ShopProblem extends Error {
  override readonly name = 'ShopProblem'
  readonly code:
    | 'NO_CREDENTIALS'
    | 'UNKNOWN_SHOP'
    | 'SHOP_EXISTS'
    | 'SHOP_NAME_INVALID'
    | 'PLATFORM_ID_INVALID'
    | 'HOST_NAME_INVALID'
    | 'HOSTS_MISSING'
    | 'PAYMENT_UNDER_WAY'
  constructor(code: ShopProblem['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const unknownShop = (id: string): ShopProblem =>
  new ShopProblem('UNKNOWN_SHOP', `There is no shop ${id}. See: purveyor shop list`)
