import type { MaybePromise } from '../../world.ts'
import { blaming, callAdapter } from '../call-adapter.ts'
import { Deadline } from '../deadline.ts'
import type { OpenedSettings } from '../shops/opened-settings.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'

/** A payment adapter that is called for a shop, with one deadline for all its calls: milliseconds from now, or that of other work. */
export class CalledAdapter {
  readonly workings: Workings
  readonly adapter: AnyPaymentAdapter
  readonly shopId: string
  readonly deadline: Deadline
  /** Earlier settings of the shop; not set for those of now. */
  readonly settings: OpenedSettings | undefined
  /** The payment service answered 401, 403 or 404: the call has moved nothing. */
  isRefused = false

  constructor(
    workings: Workings,
    adapter: AnyPaymentAdapter,
    shopId: string,
    within: number | Deadline,
    settings?: OpenedSettings,
  ) {
    this.settings = settings
    this.workings = workings
    this.adapter = adapter
    this.shopId = shopId
    this.deadline = typeof within === 'number' ? new Deadline(workings.world, within) : within
  }

  /** The same within the same deadline, with earlier settings. */
  with(settings: OpenedSettings): CalledAdapter {
    return new CalledAdapter(this.workings, this.adapter, this.shopId, this.deadline, settings)
  }

  /** Calls a member, whose function is `code`, and reads its answer. The errors of both name the adapter to a developer. */
  ask<A, T>(
    call: string,
    code: unknown,
    into: () => MaybePromise<A>,
    read: (answer: A) => MaybePromise<T>,
  ): Promise<T> {
    const { workings, adapter, shopId: shop, deadline } = this
    const how = { adapter, call, shop, deadline }
    return blaming(adapter, code, async () => read(await callAdapter(workings, how, into)))
  }
}

/** For an answer that is read later. */
export const asIs = <A>(answer: A): A => answer
