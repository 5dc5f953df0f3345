/** What an adapter says of the personal data it hands on, for the merchant's privacy policy (spec 1). */
export interface Disclosure {
  /** Who gets it, such as `Courier Ltd, Utrecht, the Netherlands`. */
  recipient: string
  /** Such as `to deliver the parcel`. */
  purpose?: string
  /** How long the recipient keeps it, such as `six months`. */
  keptFor?: string
}
