/** The generic names of icons (spec 2.6). Platforms know names of brands beside them, which the contract does not list. */
export const genericIcons = [
  'banktransfer',
  'cash',
  'directdebit',
  'ewallet',
  'giftcard',
  'invoice',
  'onlinetransfer',
  'phone',
  'pickup',
  'pin',
  'refund',
  'rembours',
] as const

/** Whether it can be the icon of a payment method: a name in lower case, or an https address. */
export const isIcon = (icon: string): boolean => /^([a-z0-9_-]+|https:\/\/\S+)$/.test(icon)
