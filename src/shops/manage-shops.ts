import { authorOf, type By } from '../audit.ts'
import { checkOptions } from '../checked-options.ts'
import { PurveyorError } from '../errors/errors.ts'
import type { Workings } from '../parts.ts'
import { removeShop, underWay } from '../payments/removal.ts'
import { addShops, checkNewShop, checkPlatformId, hostNames, newShopOptions, startOf } from './add-shops.ts'
import { auditTrailOf, settingsView } from './audit.ts'
import { connectShop, fetchBrandImages, patchSettings, replaceSettings } from './change-settings.ts'
import { privacyStatement } from './privacy-statement.ts'
import { newEndpoint } from './seal.ts'
import { endpointUrl, hostNamed, type Shop } from './shop.ts'
import {
  newWebhookKey,
  revealed,
  servedAt,
  shopIdOf,
  unknownShop,
  viewOf,
  webhookSecretsOf,
} from './shop-view.ts'
import type { Shops } from './shops.ts'

const day = 24 * 3_600_000
/** How long the old endpoint stays valid beside the new one, in milliseconds. */
const defaultOverlap = 7 * day

/** `opened` resolves once the store is open: shops can be managed without a running provider. */
export function shopsOf(workings: Workings, opened: () => Promise<unknown>): Shops {
  const managed = managedOf(workings, opened)
  return { ...listing(managed), ...changes(managed), ...settingsAndHosts(managed) }
}

type Managed = ReturnType<typeof managedOf>

function managedOf(workings: Workings, opened: () => Promise<unknown>) {
  const { store, world } = workings
  /** Rejects with `UNKNOWN_SHOP`. */
  async function known(id: string): Promise<Shop> {
    await opened()
    const shop = (await store.shop(id)) ?? (await store.shop(await shopIdOf(store, id)))
    if (!shop) throw unknownShop(id)
    return shop
  }
  async function changing(given: string, { by }: By = {}) {
    const author = authorOf(by)
    const { id } = await known(given)
    return { id, author, now: world.now() }
  }
  return { workings, opened, known, changing }
}

function listing({ workings, opened, known }: Managed) {
  const { store, world } = workings
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
      const [found, live] = await Promise.all([store.shops(), store.liveEndpoints(world.now())])
      const endpoints = Map.groupBy(live, ({ shopId }) => shopId)
      return found.map((shop) => viewOf(workings, shop, endpoints.get(shop.id) ?? []))
    },

    async show(given, { reveal = false, webhookSecret = false, by } = {}) {
      const author = authorOf(by)
      const shop = await known(given)
      const { id } = shop
      const endpoints = await store.endpoints(id, world.now())
      const view = await (reveal
        ? revealed(workings, shop, endpoints, author)
        : viewOf(workings, shop, endpoints))
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

function changes({ workings, known, changing }: Managed) {
  const { store } = workings
  const setDisabled = (disabled: boolean) => async (given: string, options?: By) => {
    const { id, author, now } = await changing(given, options)
    await store.setDisabled(id, disabled, now, author)
  }
  return {
    async rotate(given, { overlap = defaultOverlap, by } = {}) {
      const { id, author } = await changing(given, { by })
      const { token, ...endpoint } = newEndpoint(workings, id)
      const oldEndsAt = endpoint.now + overlap
      await store.rotateEndpoint(id, endpoint, oldEndsAt, author)
      return { endpoint: endpointUrl(await servedAt(workings), token), oldEndsAt }
    },

    async rotateWebhookSecret(given, { overlap = defaultOverlap, by } = {}) {
      const { id, author } = await changing(given, { by })
      const { key, secret } = newWebhookKey(workings, id)
      const oldEndsAt = key.now + overlap
      await store.rotateWebhookKey(id, key, oldEndsAt, author)
      return { secret, oldEndsAt }
    },

    async bind(given, platformId, { by } = {}) {
      const author = authorOf(by)
      if (platformId !== null) checkPlatformId(platformId)
      const { id } = await known(given)
      await store.bindShop(id, platformId ?? undefined, workings.world.now(), author)
    },

    disable: setDisabled(true),
    enable: setDisabled(false),

    async remove(given, { force = false, by } = {}) {
      const { id, author } = await changing(given, { by })
      return removeShop(workings, id, author, force)
    },

    async erase(given, orderId, { force = false, by } = {}) {
      const { id, author, now } = await changing(given, { by })
      const one = force ? undefined : await store.payment(id, orderId)
      // A payment or a webhook would be lost.
      if (one && (one.status === 'pending' || one.deliveredVersion < one.statusVersion))
        throw underWay(`Order ${orderId} has a payment`)
      return store.erasePayment(id, orderId, now, author)
    },
  } satisfies Partial<Shops>
}

function settingsAndHosts({ workings, known }: Managed) {
  const { store, world, settings } = workings
  const changeOf = (id: string, { by }: By = {}) => ({ workings, look: () => known(id), by: authorOf(by) })
  return {
    saveSettings: async (id, given, options) => replaceSettings(changeOf(id, options), given),
    patchSettings: async (id, patch, options) => patchSettings(changeOf(id, options), patch),
    settings: async (id) => settingsView(workings, await known(id)),
    connect: async (id, credentials, options) => connectShop(changeOf(id, options), credentials),

    async credentials(id) {
      const { credentials } = settings.given(await known(id))
      if (credentials) return credentials
      const message = `Shop ${id} has no credentials for the API of its platform. Give them with: purveyor shop connect ${id}`
      throw new PurveyorError('NO_CREDENTIALS', message)
    },

    async changeHosts(given, { add = [], remove = [], only, confirm }, { by } = {}) {
      const author = authorOf(by)
      const { id, hosts } = await known(given)
      const gone = remove.map((host) => hostNamed(host) ?? host)
      const change = { add: hostNames(workings, add), remove: gone, only, confirm }
      const stay = only ? [] : hosts.names.filter((name) => !change.remove.includes(name))
      if ((confirm || hosts.confirmed) && [...stay, ...change.add].length === 0)
        throw new PurveyorError('HOSTS_MISSING')
      const shop = await store.changeHosts(id, change, world.now(), author)
      return { hosts: shop?.hosts.names ?? [], confirmed: shop?.hosts.confirmed === true }
    },
  } satisfies Partial<Shops>
}
