import { defaultNeeds } from '../privacy/needs.ts'
import { withFallbacks } from '../use-cases/with-fallbacks.ts'
import type { AnyPaymentAdapter, AnyRateAdapter, Workings } from '../use-cases/workings.ts'
import type { ReadConfiguration } from './configuration.ts'
import type { GivenOptions } from './read-options.ts'

export interface ProviderDescription
  extends Pick<
    ReadConfiguration,
    'publicUrl' | 'databaseUrl' | 'trustProxy' | 'allowLoopback' | 'nameServers' | 'logLevel' | 'stopDelay'
  > {
  /** The reason for development or production: the end of a sentence that begins with "because". */
  because: string
  /** Whether the store is in memory. */
  volatile: boolean
  /** Whether the secret is being changed. */
  previousSecret: boolean
  /** Whether webhooks are signed. */
  signsWebhooks: boolean
  /** Whether the units of the shops' weights are set. */
  units: boolean
  fallback: boolean
  adapters: {
    kind: 'rates' | 'payments'
    name: string
    needs: readonly string[]
    /** Whether it declares the recipients of personal fields. */
    privacy: boolean
    /** Whether it sends them away, as far as it is known. */
    sends: boolean
    /** The private addresses that it may call. */
    network: readonly string[]
    /** Whether the status of a payment can be read at the payment service. */
    status: boolean
    /** Whether a start of unknown outcome can be resumed. */
    resumes: boolean
  }[]
}

export function describedOf(
  { rates: { units = {}, fallback = [] } }: GivenOptions,
  configuration: ReadConfiguration,
  { store, rates, payments, signsWebhooks = false }: Workings,
): ProviderDescription {
  const { publicUrl, databaseUrl, trustProxy, allowLoopback, nameServers, logLevel, stopDelay } =
    configuration
  const common = ({ name, needs, privacy, network, ...rest }: AnyRateAdapter | AnyPaymentAdapter) => ({
    name,
    needs: (needs ?? defaultNeeds) as readonly string[],
    privacy: privacy !== undefined,
    sends: 'sendsTo' in rest && (rest.sendsTo ?? []).length > 0,
    network: network?.allow ?? [],
  })
  return {
    because: configuration.mode.because,
    publicUrl,
    databaseUrl,
    volatile: store.volatile ?? false,
    previousSecret: configuration.previousSecret !== undefined,
    trustProxy,
    allowLoopback,
    nameServers,
    signsWebhooks,
    units: typeof units === 'function' || Object.keys(units).length > 0,
    fallback: typeof fallback === 'function' || fallback.length > 0,
    logLevel,
    stopDelay,
    adapters: [
      ...withFallbacks(rates).map((adapter) => ({
        kind: 'rates' as const,
        ...common(adapter),
        status: true,
        resumes: true,
      })),
      ...payments.map((adapter) => ({
        kind: 'payments' as const,
        ...common(adapter),
        status: adapter.status !== undefined,
        resumes: (adapter.idempotency ?? adapter.find) !== undefined,
      })),
    ],
  }
}
