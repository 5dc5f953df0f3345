import type { AuditEntry, By } from '../audit.ts'
import type { RemovedShop } from '../payments/removal.ts'
import type { HostsChange } from '../store.ts'
import type { ListedShop, NewShop } from './add-shops.ts'
import type { LogFilter, SettingsView } from './audit.ts'
import type { PrivacyStatement } from './privacy-statement.ts'
import type { Credentials } from './shop-settings.ts'
import type { ShopView } from './shop-view.ts'

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
      /** How long the old one stays in use, in milliseconds. Default seven days; 0 ends it at once. */
      overlap?: number
    },
  ): Promise<{ endpoint: string; oldEndsAt: number }>
  /** Creates a new webhook secret, in use within five seconds. The old one signs beside it for `overlap` ms, default seven days; 0 ends it at once. */
  rotateWebhookSecret(
    id: string,
    options?: By & {
      /** How long the old one stays in use, in milliseconds. Default seven days; 0 ends it at once. */
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
  /** Changes or, with `confirm`, closes the list of hosts. Rejects with `HOST_NAME_INVALID`, and `HOSTS_MISSING` if a closed list has none. */
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
      /** Also while payments are under way. Default false. */
      force?: boolean
    },
  ): Promise<boolean>
  /** The audit trail: who changed what, and when; newest last. It outlives the shop until the retention ends. */
  log(id: string, filter?: LogFilter): Promise<AuditEntry[]>
  /** The statement on this provider for the shop's privacy policy (spec 1). */
  privacy(id: string): Promise<PrivacyStatement>
}
