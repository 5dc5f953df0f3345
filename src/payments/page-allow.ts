/**
 * The foreign https origins of an adapter's pages, such as `https://js.psp.example`, by what a page may do with each. Without an origin
 * nothing of it loads: a page without `allow` runs no script but those of its `assets`.
 */
export interface PageAllow {
  /** Scripts that the page loads: hosted fields of a payment service. */
  script?: readonly string[]
  /** Pages that it shows in a frame: hosted fields, 3-D Secure. */
  frame?: readonly string[]
  /** Origins that its scripts call. */
  connect?: readonly string[]
  /** Images that it shows. Default: its own. */
  img?: readonly string[]
  /** Style sheets that it loads. Default: its own. */
  style?: readonly string[]
  /** Origins that its forms post to, beside its own. */
  form?: readonly string[]
  /** Windows that it opens may answer it: wallets and banks that come in a window. Default false. */
  popups?: boolean
  /** Origins in its frames that may ask the browser for a payment: wallets. */
  payment?: readonly string[]
}
