import { z } from 'zod'
import { only } from '../../messages/options.ts'
import { isPersonName, personNames } from '../../messages/people.ts'
import { didYouMean } from '../../use-cases/nearest.ts'
import { anyOption, checkOptions, each, optionGroup } from '../../use-cases/option-faults.ts'
import type { Expectation, OrderStep, Scenario, Step, Visit } from './scenario.ts'

const visit = {
  lines: anyOption,
  customer: z
    .unknown()
    .refine((name) => name === undefined || isPersonName(name), {
      error: ({ input }) => `"${String(input)}" is not known: ${didYouMean(String(input), personNames)}`,
    })
    .optional(),
  ...only('language', 'currency', 'address1', 'zipcode', 'country'),
} satisfies Record<keyof Visit, z.ZodType>

const order = { ...visit, shipment: anyOption, ownPayment: z.boolean().optional() } satisfies Record<
  keyof OrderStep,
  z.ZodType
>

const expectation = optionGroup({
  ...each(anyOption, 'order', 'provider', 'webhooks', 'webhooksWaiting', 'paymentUrls', 'methods', 'answers'),
  ...each(anyOption, 'lists', 'methodCalls', 'lastStatus', 'handling', 'result', 'invoice'),
} satisfies Record<keyof Expectation, z.ZodType>).optional()

type Member<One> = One extends unknown ? keyof One : never

const step = optionGroup({
  estimate: optionGroup(visit).optional(),
  checkout: optionGroup(visit).optional(),
  order: optionGroup(order).optional(),
  payAgain: optionGroup({ shipment: anyOption }).optional(),
  ...each(expectation, 'moveUntil', 'expect', 'onlyIf'),
  ...each(anyOption, 'pay', 'choose', 'tabs', 'of', 'customer', 'repeatStart'),
  ...each(anyOption, 'askFor', 'switch', 'move', 'otherwise'),
} satisfies Record<Member<Step>, z.ZodType>)

/** Throws `ARGUMENT_INVALID` that names the step, and every field of it that does not exist. */
export function checkSteps({ steps }: Scenario): void {
  for (const [place, one] of steps.entries()) checkOptions(`run(): steps[${place}]`, step, one)
}
