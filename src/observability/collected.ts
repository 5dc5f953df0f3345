import { type Counter, Gauge, type LabelValues, type Registry } from '@prometheus-io/client'
import type { MaybePromise } from '../world.ts'

export type Figures<Label extends string> = readonly (readonly [LabelValues<Label>, number])[]
type Read<Label extends string> = () => MaybePromise<Figures<Label> | number | undefined>

/**
 * Adds metrics that are read when they are collected: figures by their labels, with a sum for equal ones. `undefined` leaves a metric out.
 * `aggregator`: what several processes make of their figures.
 */
export const collecting =
  (registers: Registry[], aggregator: 'sum' | 'max' | 'min', Kind: typeof Gauge | typeof Counter = Gauge) =>
  <Label extends string>(name: string, help: string, labelNames: Label[], read: Read<Label>): void => {
    const metric = new Kind<Label>({
      ...{ registers, aggregator, name, help, labelNames },
      async collect() {
        const found = await read()
        metric.reset()
        // One without labels shows 0 after a reset.
        if (found === undefined) metric.remove({} as LabelValues<Label>)
        else if (typeof found === 'number') metric.inc(found)
        else for (const [on, figure] of found) metric.inc(on, figure)
      },
    })
  }
