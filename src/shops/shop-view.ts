import { PurveyorError } from '../errors/errors.ts'
import type { Parts } from '../parts.ts'
import { StoreUnavailable } from '../store.ts'
import type { NewWebhookKey, StorePort, WebhookKey } from '../store-port.ts'
import { nodeLives } from './rotate-secret.ts'
import { endpointRow, fromPlatform, webhookSecret } from './seal.ts'
import { defaultShopId, type Endpoint, endpointUrl, type Shop } from './shop.ts'

const secretBytes = 32

/** A secret that signs a shop's webhooks, for the receiver. */
export interface WebhookSecret {
  /** `whsec_` and base64. */
  secret: string
  /** Milliseconds since 1970. */
  createdAt: number
  /** Its end; the newest has none. */
  expiresAt: number | undefined
}

const rowOf = (id: string) => ({ kind: 'webhook key', key: id }) as const

export function newWebhookKey({ world, seal }: Parts<'world' | 'seal'>, shopId: string) {
  // The row is bound to its id, and so to its shop.
  const id = `${shopId}.${world.token(12)}`
  const secret = webhookSecret(world.token(secretBytes))
  const key: NewWebhookKey = { id, sealed: seal.close(secret, rowOf(id)), now: world.now() }
  return { key, secret }
}

/** The live secrets of a shop, newest first. The first call creates one, with `by` as its author. */
export async function webhookSecretsOf(
  workings: Parts<'world' | 'store' | 'seal'>,
  shopId: string,
  by?: string,
): Promise<WebhookSecret[]> {
  const { store, world } = workings
  const there = await store.webhookKeys(shopId, world.now())
  const keys =
    there.length > 0 ? there : await store.ensureWebhookKey(shopId, newWebhookKey(workings, shopId).key, by)
  return keys.map((key) => opened(workings, shopId, key))
}

function opened({ seal }: Parts<'seal'>, shopId: string, key: WebhookKey): WebhookSecret {
  const { id, sealed, ...times } = key
  const foreign = `A webhook secret of shop ${shopId} belongs to another one. Restore webhook_keys`
  if (!id.startsWith(`${shopId}.`)) throw new StoreUnavailable(foreign)
  return { secret: seal.open(sealed, rowOf(id)), ...times }
}

export type Locating = Parts<'world' | 'store' | 'addresses' | 'rotation'>

/** The address that runs: of this node, or of the one that started last, because a command may be called without its port or address. */
export async function servedAt({ store, world, addresses, rotation }: Locating): Promise<string> {
  if (rotation?.url !== undefined) return rotation.url
  const running = (await store.nodes(world.now() - nodeLives)).flatMap(({ runs }) => (runs?.url ? runs : []))
  return running.toSorted((one, other) => other.since - one.since)[0]?.url ?? addresses.publicUrl
}

/** The id of the shop that has this name now, or that the next one with it gets. Default: that of the shop without a name. */
export const shopIdOf = async (store: StorePort, name = defaultShopId): Promise<string> =>
  (await store.shopIdsOf([name]))[0]!

export const unknownShop = (id: string): PurveyorError =>
  new PurveyorError('UNKNOWN_SHOP', `There is no shop ${id}. See: purveyor shop list`, { place: id })

/** A shop for display. Of its settings only the names. */
export interface ShopView {
  id: string
  platformId: string | undefined
  disabled: boolean
  hosts: readonly string[]
  hostsConfirmed: boolean
  /** The names of its settings, such as `units` and `adapters.courier`. */
  settings: string[]
  /** Newest first. `url` only on request. */
  endpoints: { url?: string; createdAt: number; expiresAt: number | undefined }[]
  /** The push addresses for payment services, by adapter; with `push.owner` also the one that all shops share. Only on request. */
  pushAddresses?: { adapter: string; url: string; ofAllShops?: true }[]
  /** The address for events of the shop's orders and shipments, if the provider handles any; set like `pushAddresses`. */
  resourceAddress?: string
  /** The secrets that sign its webhooks, newest first. Only on request. */
  webhookSecrets?: WebhookSecret[]
}

export function viewOf(
  { settings }: Parts<'settings'>,
  shop: Shop,
  endpoints: readonly Endpoint[],
): ShopView {
  const { id, platformId, disabled, hosts } = shop
  const { adapters = {}, ...rest } = settings.given(shop)
  return {
    ...{ id, platformId, disabled, hosts: hosts.names, hostsConfirmed: hosts.confirmed },
    settings: [...Object.keys(rest), ...Object.keys(adapters).map((name) => `adapters.${name}`)],
    endpoints: endpoints.map(({ createdAt, expiresAt }) => ({ createdAt, expiresAt })),
  }
}

export async function revealed(
  workings: Locating & Parts<'seal' | 'settings' | 'payments' | 'resourceHandlers'>,
  shop: Shop,
  endpoints: readonly Endpoint[],
  by: string,
): Promise<ShopView> {
  const { seal, addresses, payments, resourceHandlers } = workings
  const served = await servedAt(workings)
  const pushesOf = async (adapter: string) =>
    served + (await addresses.pushesOf(shop.id, adapter, by)).slice(addresses.publicUrl.length)
  const addressesOf = async ({ name: adapter, push }: (typeof payments.adapters)[number]) => {
    if (!push) return []
    const own = { adapter, url: await pushesOf(adapter) }
    const shared = `${served}/n/${adapter}/${addresses.pages.ofPushes(adapter)}`
    return push.owner ? [own, { adapter, url: shared, ofAllShops: true as const }] : [own]
  }
  const pushAddresses = await Promise.all(payments.adapters.map(addressesOf))
  const urlOf = ({ tokenHash, sealedToken }: Endpoint) =>
    endpointUrl(served, seal.open(sealedToken, endpointRow(shop.id, tokenHash)))
  const view = viewOf(workings, shop, endpoints)
  return {
    ...view,
    endpoints: view.endpoints.map((one, at) => ({ url: urlOf(endpoints[at]!), ...one })),
    pushAddresses: pushAddresses.flat(),
    ...(Object.keys(resourceHandlers).length > 0 && { resourceAddress: await pushesOf(fromPlatform) }),
  }
}
