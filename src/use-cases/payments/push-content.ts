import { pushRow, type Seal } from '../../shops/seal.ts'
import type { HeldPush } from '../../store.ts'

/** A payment service's request, unchanged. */
export interface PushContent {
  /** In base64: its signature covers exactly these bytes. */
  body: string
  headers: Record<string, string>
  query: string
}

type Named = Omit<HeldPush, 'sealed'>

export const sealContent = (seal: Seal, push: Named, content: PushContent): string =>
  seal.close(JSON.stringify(content), pushRow(push))

/** Throws a `StoreUnavailable` where the secret is another one. Content that an older version has stored is not sealed. */
export function openContent(seal: Seal, { sealed, ...push }: HeldPush): PushContent {
  return JSON.parse(sealed.startsWith('{') ? sealed : seal.open(sealed, pushRow(push))) as PushContent
}
