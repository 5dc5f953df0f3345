import { slotOf } from './sql/holds.ts'
import type { Command, Step } from './sql/query.ts'

interface Waiting {
  command: () => Command<unknown>
}

/** The holds of a command from its start. */
export function heldBy({ command }: Waiting): readonly string[] {
  const { value, done } = command().next()
  return !done && 'hold' in value ? value.hold : []
}

/** Whether it shares its transaction with no other. */
export function isAlone({ command }: Waiting): boolean {
  const { value, done } = command().next()
  return !done && !('hold' in value && !value.alone)
}

/** The number of the writer of a command: those of one order have the same. */
export function writerOf(one: Waiting, writers: number): number {
  const [thing] = writers > 1 ? heldBy(one) : []
  return thing === undefined ? 0 : slotOf(thing) % writers
}

/** The shop of a command that holds something of one shop from its start: an order, a lane, a page, a push or the shop. */
export function shopOf(one: Waiting): string | undefined {
  return shopIn(heldBy(one)[0] ?? '')
}

/** The shop that a hold names. */
export const shopIn = (thing: string): string | undefined =>
  /^(?:order|lane|shop|page|push lane \S+|push) (\S+)/.exec(thing)?.[1]

/** Whether a command holds something of the shop from its start, or names the shop in its first queries. */
export function isOf(one: Waiting, shop: string): boolean {
  if (shopOf(one) === shop) return true
  const command = one.command()
  let next = command.next()
  if (!next.done && 'hold' in next.value) next = command.next([])
  return !next.done && 'steps' in next.value && next.value.steps.some(({ values }) => values.includes(shop))
}

/** Whether other orders of its shop may wait for the same row as this command. */
export function isShared(one: Waiting, step: Step): boolean {
  const [, order] = /^order \S+ (.+)$/.exec(heldBy(one)[0] ?? '') ?? []
  return order === undefined || !step.values.includes(order)
}
