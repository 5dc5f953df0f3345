/** Images that merchants show on payment pages, fetched once. */
export interface ImageStore {
  /** Keeps an image, in the place of an earlier one of this shop from the same address. */
  keepImage(image: StoredImage): Promise<void>
  image(by: { shopId: string; source: string } | { name: string }): Promise<StoredImage | undefined>
  /** Erases the images of a shop but those of two addresses. */
  dropImagesBut(shopId: string, logo: string | undefined, favicon: string | undefined): Promise<void>
}

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
