/** An adapter's statement on the personal data that it passes on, for the merchant's privacy policy (spec 1). */
export interface Disclosure {
  /** The recipient, such as `Courier Ltd, Utrecht, the Netherlands`. */
  recipient: string
  /** The purpose, such as `to deliver the parcel`. */
  purpose?: string
  /** How long the recipient keeps it, such as `six months`. */
  keptFor?: string
}
