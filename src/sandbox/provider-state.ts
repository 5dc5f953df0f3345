import { EventEmitter, once } from 'node:events'
import type { Served } from '../contract/served.ts'
import type { SourceFault } from '../observability/source-faults/source-fault.ts'

/** Why a provider does not run: an error of its start, or the one that ended its process. */
export interface ProviderFault extends SourceFault {
  /** The code of a `PurveyorError` or of Node, such as `CONFIGURATION_INVALID`. */
  code?: string
  /** The error's name and message, and all of its frames. Not set if no error is known, such as after `kill`. */
  stack?: string
}

/** The state of the process of the provider beside the sandbox. */
export type ProviderState =
  | {
      is: 'running'
      /** Its `urlEndpoint`, if that is new: the shop registers it in the place of the one before. */
      endpoint?: string
      /** Registers `endpoint` for these. Default: both. */
      services?: readonly Served[]
      /** Whether the cart asks `endpoint` for estimates. Default true. */
      estimates?: boolean
    }
  /** It restarts: calls of the shop wait for the next state. */
  | { is: 'starting' }
  | { is: 'not running'; fault: ProviderFault }

/** How long a call of the shop waits for a provider that starts, in milliseconds. */
const patience = 10_000

/** The state of the provider's process. A provider that runs elsewhere is always `running`. */
export class ProviderWatch {
  readonly #changes = new EventEmitter<{ change: [] }>().setMaxListeners(0)
  readonly #changed: () => void
  #state: ProviderState = { is: 'running' }
  /** Whether it answered the cart when it was registered last. */
  estimates: boolean | undefined

  /** `changed` is called after each change. */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  get state(): ProviderState {
    return this.#state
  }

  /** Why it does not run. */
  get fault(): ProviderFault | undefined {
    return this.#state.is === 'not running' ? this.#state.fault : undefined
  }

  set(state: ProviderState): void {
    this.#state = state
    this.#changes.emit('change')
    this.#changed()
  }

  /** Resolves at once unless the provider is starting, then once it runs or has failed, after ten seconds at the latest. */
  async settled(): Promise<void> {
    const signal = AbortSignal.timeout(patience)
    while (this.#state.is === 'starting' && !signal.aborted)
      await once(this.#changes, 'change', { signal }).catch(() => {})
  }
}
