import type { MaybePromise } from '../../world.ts'
import { blaming, callAdapter } from '../call-adapter.ts'
import { Deadline } from '../deadline.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'

/** A payment adapter that is called for a shop, with one deadline for all its calls: milliseconds from now, or that of other work. */
export class CalledAdapter {
  readonly workings: Workings
  readonly adapter: AnyPaymentAdapter
  readonly shopId: string
  readonly deadline: Deadline

  constructor(workings: Workings, adapter: AnyPaymentAdapter, shopId: string, within: number | Deadline) {
    this.workings = workings
    this.adapter = adapter
    this.shopId = shopId
    this.deadline = typeof within === 'number' ? new Deadline(workings.world, within) : within
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
