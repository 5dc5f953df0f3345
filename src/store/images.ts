export interface StoredImage {
  /** The shop whose brand shows it; empty for a brand of the provider. */
  shopId: string
  /** The address it was fetched from. */
  source: string
  /** The name under which it is served: its hash, and the ending of its type. */
  name: string
  type: string
  width: number
  height: number
  /** In base64. */
  content: string
  /** Milliseconds since 1970. */
  fetchedAt: number
}
