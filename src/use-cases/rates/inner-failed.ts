/** An adapter that another one holds failed or was skipped: the message says which and why. It is logged and counted already. */
export class InnerFailed extends Error {
  override readonly name = 'InnerFailed'
}
