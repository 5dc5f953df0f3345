import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { fromPlatform, hashToken, newAddress, pushAddressRow, type Sealing } from '../shops/seal.ts'
import { StoreUnavailable } from '../store.ts'
import type { StorePort } from '../store-port.ts'
import { type Attempt, inOrder } from './ledger/payment.ts'

/** The length of the secret part of a page token and of its hash: 32 bytes in base64url. */
const secretLength = 43

/**
 * Creates the tokens of hosted pages: the attempt's time and an HMAC of its id under a random key. So a repeated start gets the same address,
 * although the store keeps only its hash. Those of shared push addresses are made alike.
 */
export class PageTokens {
  #key: KeyObject | undefined

  /** Sets the key: 32 random bytes in base64url, or any other number. Before that there are no tokens. */
  setKey(key: string): void {
    this.#key = createSecretKey(key, 'base64url')
  }

  of({ id, openedAt }: Pick<Attempt, 'id' | 'openedAt'>): string {
    return inOrder(openedAt, this.#secretOf(id))
  }

  /** The token of the push address of an adapter that all shops share. It lasts as long as the store. */
  ofPushes(adapter: string): string {
    return this.#secretOf(`push ${adapter}`)
  }

  #secretOf(name: string): string {
    if (!this.#key) throw new StoreUnavailable('The store is not open: start the provider first.')
    return createHmac('sha256', this.#key).update(name).digest('base64url')
  }

  hashOf(attempt: Pick<Attempt, 'id' | 'openedAt'>): string {
    return hashPageToken(this.of(attempt))
  }
}

/** The stored form of a page token. The time comes first, so that the newest are adjacent in an index. */
export const hashPageToken = (token: string): string => token.slice(0, -secretLength) + hashToken(token)

/** The addresses that a provider gives out for payments: pages, returns, and pushes. */
export class Addresses {
  /** The public address of this provider, without a slash at the end. Known once it listens. */
  publicUrl: string
  readonly pages = new PageTokens()
  /** Called with the hash of a token before its address is given out. */
  readonly issued: (tokenHash: string) => void
  readonly #parts: Sealing & { store: StorePort }
  /** Each is looked up once, because it lasts as long as the shop. */
  readonly #pushTokens = new Map<string, Promise<string>>()

  constructor(parts: Sealing & { store: StorePort }, publicUrl: string, issued: Addresses['issued']) {
    this.#parts = parts
    this.publicUrl = publicUrl
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
