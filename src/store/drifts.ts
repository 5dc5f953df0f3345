/** A field that the contract does not know, or knows in another form. Never a value. */
export interface DriftRecord {
  shopId: string
  /** Such as `shipment_methods`. */
  message: string
  path: string
  /** The kind of its value in JSON. */
  kind: string
  /** `ignored`, `read`, `cut`, `rounded`, `lost` or `refused`: see `Drift`. */
  became: string
  /** The number of compared messages that had it. */
  count: number
  /** Milliseconds since 1970. */
  firstAt: number
  lastAt: number
}
