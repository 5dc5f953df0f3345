import type { PageTokens } from '../payments/ledger/page-tokens.ts'
import type { Attempt } from '../payments/ledger/payment.ts'
import { fromPlatform } from '../payments/pushes/push-content.ts'
import type { NewEndpoint, StorePort } from '../store-port.ts'
import type { World } from '../world.ts'
import { hashToken, pushAddressRow, type Seal, type SealedRow, tokenBytes } from './seal.ts'

interface Sealing {
  world: Pick<World, 'now' | 'token'>
  seal: Seal
}

/** A new address with its token, which is stored as its hash and encrypted. */
export function newAddress(
  { world, seal }: Sealing,
  rowOf: (tokenHash: string) => SealedRow,
): NewEndpoint & { token: string } {
  const token = world.token(tokenBytes)
  const tokenHash = hashToken(token)
  return { tokenHash, sealedToken: seal.close(token, rowOf(tokenHash)), now: world.now(), token }
}

/** The addresses that a provider gives out for payments: pages, returns, and pushes. */
export class Addresses {
  /** The public address of this provider, without a slash at the end. Known once it listens. */
  publicUrl: string
  readonly pages: PageTokens
  /** Called with the hash of a token before its address is given out. */
  readonly issued: (tokenHash: string) => void
  readonly #parts: Sealing & { store: StorePort }
  /** Each is looked up once, because it lasts as long as the shop. */
  readonly #pushTokens = new Map<string, Promise<string>>()

  constructor(
    parts: Sealing & { store: StorePort },
    { publicUrl, pages, issued }: Pick<Addresses, 'publicUrl' | 'pages' | 'issued'>,
  ) {
    this.#parts = parts
    this.publicUrl = publicUrl
    this.pages = pages
    this.issued = issued
  }

  pageOf(attempt: Attempt): string {
    return `${this.publicUrl}/p/${this.pages.of(attempt)}`
  }

  /** The return address for customers of the payment service: ours, which redirects to the shop. That of a form has its number. */
  returnOf(attempt: Attempt, form?: number): string {
    return `${this.pageOf(attempt)}/return${form === undefined ? '' : `/${form}`}`
  }

  /** The address of pushes for one shop and adapter, and of resource events of the shop's platform. `by` is the author of a new one. */
  async pushesOf(shopId: string, adapter: string, by?: string): Promise<string> {
    const key = `${adapter} ${shopId}`
    const token = this.#pushTokens.get(key) ?? this.#ensure(shopId, adapter, by)
    this.#pushTokens.set(key, token)
    token.catch(() => this.#pushTokens.delete(key))
    const path = adapter === fromPlatform ? '/w' : `/n/${adapter}`
    return `${this.publicUrl}${path}/${await token}`
  }

  async #ensure(shopId: string, adapter: string, by?: string): Promise<string> {
    const { store, seal } = this.#parts
    const rowOf = (tokenHash: string) => pushAddressRow(shopId, adapter, tokenHash)
    const { token: _, ...address } = newAddress(this.#parts, rowOf)
    const { sealedToken, tokenHash } = await store.ensurePushAddress(shopId, adapter, address, by)
    this.issued(tokenHash)
    return seal.open(sealedToken, rowOf(tokenHash))
  }
}
