import type { KeptPush } from '../../store-port.ts'
import type { ContentSeal } from '../ledger/page-tokens.ts'

/** A payment service's request, unchanged. */
export interface PushContent {
  /** In base64: its signature covers exactly these bytes. */
  body: string
  headers: Record<string, string>
  query: string
}

/** Where resource events stand among pushes, in place of an adapter's name. No adapter can have it. */
export const fromPlatform = '@platform'

type Named = Omit<KeptPush, 'sealed'>

const rowOf = ({ shopId, adapter, key }: Named) => `push ${shopId}.${adapter}.${key}` as const

export const sealContent = (seal: ContentSeal, push: Named, content: PushContent): string =>
  seal.close(content, rowOf(push))

/** Throws a `StoreUnavailable` for a text of another store or row. */
export const openContent = (seal: ContentSeal, push: KeptPush): PushContent =>
  seal.open(push.sealed, rowOf(push)) as PushContent
