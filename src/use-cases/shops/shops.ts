import type { AuditEntry } from '../../audit.ts'
import { PurveyorError } from '../../errors.ts'
import { endpointUrl, hostNamed, type Shop } from '../../shops/shop.ts'
import type { HostsChange } from '../../store.ts'
import { checkOptions } from '../checked-options.ts'
import { type RemovedShop, removeShop, underWay } from '../removal.ts'
import type { Workings } from '../workings.ts'
import {
  addShops,
  checkNewShop,
  checkPlatformId,
  hostNames,
  type ListedShop,
  type NewShop,
  newEndpoint,
  newShopOptions,
  noHosts,
  startOf,
} from './add-shops.ts'
import { auditTrailOf, authorOf, type By, type LogFilter, type SettingsView, settingsView } from './audit.ts'
import { connectShop, fetchBrandImages, patchSettings, replaceSettings } from './change-settings.ts'
import { type PrivacyStatement, privacyStatement } from './privacy-statement.ts'
import { type Credentials, credentialsOf } from './shop-settings.ts'
import {
  newWebhookKey,
  revealed,
  type ShopView,
  servedAt,
  shopIdOf,
  unknownShop,
  viewOf,
  webhookSecretsOf,
} from './shop-view.ts'

const day = 24 * 3_600_000
/** How long the old endpoint stays valid beside the new one, in milliseconds. */
const defaultOverlap = 7 * day

/** The tenants of a provider. Changes reach other processes within five seconds. The audit trail names `by` as their author. */
export interface Shops {
  /**
   * Rejects with `SHOP_EXISTS` when there is one. Resolves with its id and the `urlEndpoint` to register with the platform. The id is the given
   * one or, where a removed shop had that, one with a number such as `bikes.2`. Its name finds it too, here.
   */
  add(id: string, shop?: NewShop): Promise<{ shop: string; endpoint: string }>
  /**
   * Adds many shops in one commit, or none. With `dryRun` it only checks. Rejects with a `ShopsInvalid` that names every fault. Resolves
   * with the `urlEndpoint` of each, in the order of the list; with none after a `dryRun`. Run it in a script beside the serving provider:
   * 2,000 shops block the process for a second.
   */
  addAll(
    shops: readonly ListedShop[],
    options?: By & {
      /** Only checks. Default false. */
      dryRun?: boolean
    },
  ): Promise<{ shop: string; endpoint: string }[]>
  list(): Promise<ShopView[]>
  /**
   * `reveal` adds the addresses, which are secrets. `webhookSecret` adds the secrets of its webhooks, for the receiver of `webhook_url`.
   * The first such call creates push addresses or a secret, with `by` as their author.
   */
  show(
    id: string,
    options?: By & {
      /** Adds the addresses, which are secrets. Default false. */
      reveal?: boolean
      /** Adds the secrets of its webhooks. Default false. */
      webhookSecret?: boolean
    },
  ): Promise<ShopView>
  /** Creates a new endpoint. The old one stays valid for `overlap` milliseconds, default seven days; 0 ends it at once. */
  rotate(
    id: string,
    options?: By & {
      /** How long the old endpoint stays valid, in milliseconds. Default seven days. */
      overlap?: number
    },
  ): Promise<{ endpoint: string; oldEndsAt: number }>
  /**
   * Creates a new webhook secret. The old one signs beside it for `overlap` milliseconds, default seven days; 0 ends it at once. A running
   * process signs with the new one within five seconds.
   */
  rotateWebhookSecret(
    id: string,
    options?: By & {
      /** How long the old secret signs beside it, in milliseconds. Default seven days. */
      overlap?: number
    },
  ): Promise<{ secret: string; oldEndsAt: number }>
  /** Binds its endpoints to another platform id, with `null` to that of the next valid POST. Rejects with `PLATFORM_ID_INVALID`. */
  bind(id: string, platformId: string | null, options?: By): Promise<void>
  /** Its endpoints answer 404. Open payments continue, and owed webhooks are delivered. */
  disable(id: string, options?: By): Promise<void>
  enable(id: string, options?: By): Promise<void>
  /**
   * Removes it with all its data except the audit trail, for good: nothing of its id is written any more. Rejects with `PAYMENT_UNDER_WAY` unless
   * `force` is set; then attempts under way are cancelled at their payment services. Resolves with where money may still come, and the number of
   * webhooks that are not delivered any more.
   */
  remove(
    id: string,
    options?: By & {
      /** Also while payments are under way. Default false. */
      force?: boolean
    },
  ): Promise<RemovedShop>
  /** Replaces its settings, except its credentials. Rejects with `SETTINGS_INVALID` and the path of every fault. */
  saveSettings(id: string, settings: unknown, options?: By): Promise<void>
  /** Changes its settings in part, such as `{ adapters: { psp: { key } } }`; `null` removes one. Rejects with `SETTINGS_INVALID`. */
  patchSettings(id: string, patch: unknown, options?: By): Promise<void>
  /** Its settings, with each text of an adapter and of the credentials masked, and who changed which of them, newest last. */
  settings(id: string): Promise<SettingsView>
  /** Replaces its credentials for the platform's own API, and no other settings. */
  connect(id: string, credentials: Credentials, options?: By): Promise<void>
  /** Rejects with `NO_CREDENTIALS` if they are not set. */
  credentials(id: string): Promise<Credentials>
  /**
   * Changes or, with `confirm`, closes the list of hosts that its addresses may name. Rejects with `HOST_NAME_INVALID`, and with
   * `HOSTS_MISSING` if a list without hosts would be closed.
   */
  changeHosts(
    id: string,
    change: HostsChange,
    options?: By,
  ): Promise<{ hosts: readonly string[]; confirmed: boolean }>
  /** Erases all data of an order except its entries in the audit trail. Rejects with `PAYMENT_UNDER_WAY` unless `force` is set. */
  erase(
    id: string,
    orderId: string,
    options?: By & {
      /** Also while its payment is under way. Default false. */
      force?: boolean
    },
  ): Promise<boolean>
  /** The audit trail: who changed what, and when; newest last. It outlives the shop until the retention ends. */
  log(id: string, filter?: LogFilter): Promise<AuditEntry[]>
  /** The statement on this provider for the shop's privacy policy (spec 1). */
  privacy(id: string): Promise<PrivacyStatement>
}

/** `opened` resolves once the store is open: shops can be managed without a running provider. */
export function shopsOf(workings: Workings, opened: () => Promise<unknown>): Shops {
  async function known(id: string): Promise<Shop> {
    await opened()
    const { store } = workings
    const shop = (await store.shop(id)) ?? (await store.shop(await shopIdOf(store, id)))
    if (!shop) throw unknownShop(id)
    return shop
  }
  const managed: Managed = {
    workings,
    opened,
    known,
    async changing(given, by) {
      const author = authorOf(by)
      const { id } = await known(given)
      return { id, author }
    },
  }
  return { ...listing(managed), ...changes(managed), ...secrets(managed), ...settingsAndHosts(managed) }
}

interface Managed {
  workings: Workings
  opened: () => Promise<unknown>
  /** Rejects with `UNKNOWN_SHOP`. */
  known(id: string): Promise<Shop>
  /** The author of a change of a shop that is there, and its id. */
  changing(id: string, by: string | undefined): Promise<{ id: string; author: string }>
}

/** A payment or a webhook that would be lost. */
async function refuseUnderWay({ store }: Workings, id: string, orderId: string): Promise<void> {
  const one = await store.payment(id, orderId)
  if (one && (one.status === 'pending' || one.deliveredVersion < one.statusVersion))
    throw underWay(`Order ${orderId} has a payment`)
}

function listing({ workings, opened, known }: Managed) {
  const { store } = workings
  return {
    async add(name, shop = {}) {
      checkOptions('shops.add()', newShopOptions, shop)
      const { platformId, hosts, settings, by } = shop
      const author = authorOf(by)
      const checked = checkNewShop(workings, { id: name, platformId, hosts, settings })
      await opened()
      const id = await shopIdOf(store, name)
      const exists = new PurveyorError('SHOP_EXISTS', `Shop ${id} exists already, and nothing was changed.`)
      // Its own images stay as they are.
      if (await store.shop(id)) throw exists
      await fetchBrandImages(workings, id, checked.settings ?? {})
      const { token, ...endpoint } = newEndpoint(workings, id)
      const { added } = await store.ensureShop(id, endpoint, startOf(workings, id, checked, author))
      if (!added) throw exists
      return { shop: id, endpoint: endpointUrl(await servedAt(workings), token) }
    },

    addAll: async (list, options = {}) => addShops(workings, opened, list, options),

    async list() {
      await opened()
      // A query for each of 10,000 shops would take a minute on a server that is 5 ms away.
      const [found, live] = await Promise.all([store.shops(), store.liveEndpoints(workings.world.now())])
      const endpoints = Map.groupBy(live, ({ shopId }) => shopId)
      return found.map((shop) => viewOf(workings, shop, endpoints.get(shop.id) ?? []))
    },

    async show(given, { reveal = false, webhookSecret = false, by } = {}) {
      const author = authorOf(by)
      const shop = await known(given)
      const { id } = shop
      const endpoints = await store.endpoints(id, workings.world.now())
      const view = reveal
        ? await revealed(workings, shop, endpoints, author)
        : viewOf(workings, shop, endpoints)
      return webhookSecret ? { ...view, webhookSecrets: await webhookSecretsOf(workings, id, author) } : view
    },

    async log(id, filter = {}) {
      await opened()
      const trail = await auditTrailOf(workings, id, filter)
      if (!trail) throw unknownShop(id)
      return trail
    },

    privacy: async (id) => privacyStatement(workings, await known(id)),
  } satisfies Partial<Shops>
}

function secrets({ workings, changing }: Managed) {
  const { store } = workings
  return {
    async rotate(given, { overlap = defaultOverlap, by } = {}) {
      const { id, author } = await changing(given, by)
      const { token, ...endpoint } = newEndpoint(workings, id)
      const oldEndsAt = endpoint.now + overlap
      await store.rotateEndpoint(id, endpoint, oldEndsAt, author)
      return { endpoint: endpointUrl(await servedAt(workings), token), oldEndsAt }
    },

    async rotateWebhookSecret(given, { overlap = defaultOverlap, by } = {}) {
      const { id, author } = await changing(given, by)
      const { key, secret } = newWebhookKey(workings, id)
      const oldEndsAt = key.now + overlap
      await store.rotateWebhookKey(id, key, oldEndsAt, author)
      return { secret, oldEndsAt }
    },
  } satisfies Partial<Shops>
}

function changes({ workings, known, changing }: Managed) {
  const { store, world } = workings
  async function setDisabled(given: string, disabled: boolean, by: string | undefined): Promise<void> {
    const { id, author } = await changing(given, by)
    await store.setDisabled(id, disabled, world.now(), author)
  }

  return {
    async bind(given, platformId, { by } = {}) {
      const author = authorOf(by)
      if (platformId !== null) checkPlatformId(platformId)
      const { id } = await known(given)
      await store.bindShop(id, platformId ?? undefined, world.now(), author)
    },

    disable: (id, { by } = {}) => setDisabled(id, true, by),

    enable: (id, { by } = {}) => setDisabled(id, false, by),

    async remove(given, { force = false, by } = {}) {
      const { id, author } = await changing(given, by)
      return removeShop(workings, id, author, force)
    },

    async erase(given, orderId, { force = false, by } = {}) {
      const { id, author } = await changing(given, by)
      if (!force) await refuseUnderWay(workings, id, orderId)
      return store.erasePayment(id, orderId, world.now(), author)
    },
  } satisfies Partial<Shops>
}

function settingsAndHosts({ workings, known }: Managed) {
  const { store, world } = workings
  return {
    async saveSettings(id, settings, { by } = {}) {
      await replaceSettings({ workings, look: () => known(id), by: authorOf(by) }, settings)
    },

    async patchSettings(id, patch, { by } = {}) {
      await patchSettings({ workings, look: () => known(id), by: authorOf(by) }, patch)
    },

    settings: async (id) => settingsView(workings, await known(id)),

    async connect(id, credentials, { by } = {}) {
      await connectShop({ workings, look: () => known(id), by: authorOf(by) }, credentials)
    },

    async credentials(id) {
      const credentials = credentialsOf(workings, await known(id))
      if (credentials) return credentials
      throw new PurveyorError(
        'NO_CREDENTIALS',
        `Shop ${id} has no credentials for the API of its platform. Give them with: purveyor shop connect ${id}`,
      )
    },

    async changeHosts(given, { add = [], remove = [], only, confirm }, { by } = {}) {
      const author = authorOf(by)
      const { id, hosts } = await known(given)
      const change = {
        add: hostNames(workings, add),
        remove: remove.map((host) => hostNamed(host) ?? host),
        only,
        confirm,
      }
      const stay = only ? [] : hosts.names.filter((name) => !change.remove.includes(name))
      if ((confirm || hosts.confirmed) && [...stay, ...change.add].length === 0) throw noHosts()
      const shop = await store.changeHosts(id, change, world.now(), author)
      return { hosts: shop?.hosts.names ?? [], confirmed: shop?.hosts.confirmed === true }
    },
  } satisfies Partial<Shops>
}
