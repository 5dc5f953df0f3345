/** Something that a tariff allows and that is rarely intended. */
export interface LintFinding {
  kind: 'gap' | 'overlap' | 'twice' | 'never' | 'zipcode' | 'cents'
  line: number
  /** The shipping method or the surcharge, and the zone. */
  method: string
  zone: string
  message: string
}
