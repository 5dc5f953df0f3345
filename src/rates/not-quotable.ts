/** The request cannot be quoted, which is not a failure: the adapter answers none with this reason. */
export class NotQuotable extends Error {
  override readonly name = 'NotQuotable'
}
