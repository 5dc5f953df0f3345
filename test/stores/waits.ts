import { setTimeout as sleep } from 'node:timers/promises'
import type { StorePort } from '../../src/store-port.ts'
import { open } from './cases/store-case.ts'

/** How a command of a store ended whose server is away; `refused` means after about two seconds. */
export type Waited = 'opened' | 'refused early' | 'refused' | 'refused late'

/**
 * Opens orders, one every 20 ms, so that most of them queue behind others. Each is measured by a clock of its own, which on a busy machine is
 * as late as the command. Behind those before it, a command would wait for four seconds.
 */
export async function waitsWhileAway(store: StorePort): Promise<Set<Waited>> {
  const waits: Promise<Waited>[] = []
  for (let order = 0; order < 160; order++) {
    const opening = store.openAttempt(open({ orderId: `${order}` }))
    const waited = (ms: number, outcome: Waited) => sleep(ms, outcome)
    const early = waited(1_500, 'refused')
    const opened = opening.then(
      (): Waited => 'opened',
      async () => Promise.race([early, waited(0, 'refused early')]),
    )
    waits.push(Promise.race([opened, waited(3_000, 'refused late')]))
    await sleep(20)
  }
  return new Set(await Promise.all(waits))
}
