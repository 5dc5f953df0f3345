import { z } from 'zod'
import { countryOption, languageOption, textOption } from '../../messages/options.ts'
import { isPersonName, personNames } from '../../messages/people.ts'
import { didYouMean } from '../../use-cases/nearest.ts'
import { anyOption, checkOptions, optionGroup } from '../../use-cases/option-faults.ts'
import type { Expectation, OrderStep, Scenario, Step, Visit } from './scenario.ts'

const visit = {
  lines: anyOption,
  customer: z
    .unknown()
    .refine((name) => name === undefined || isPersonName(name), {
      error: ({ input }) => `"${String(input)}" is not known: ${didYouMean(String(input), personNames)}`,
    })
    .optional(),
  language: languageOption,
  currency: anyOption,
  address1: textOption,
  zipcode: textOption,
  country: countryOption,
} satisfies Record<keyof Visit, z.ZodType>

const order = {
  ...visit,
  shipment: anyOption,
  ownPayment: z.boolean().optional(),
} satisfies Record<keyof OrderStep, z.ZodType>

const expectation = optionGroup({
  order: anyOption,
  provider: anyOption,
  webhooks: anyOption,
  webhooksWaiting: anyOption,
  paymentUrls: anyOption,
  methods: anyOption,
  answers: anyOption,
  lists: anyOption,
  methodCalls: anyOption,
  lastStatus: anyOption,
  handling: anyOption,
  result: anyOption,
  invoice: anyOption,
} satisfies Record<keyof Expectation, z.ZodType>).optional()

type Member<One> = One extends unknown ? keyof One : never

const step = optionGroup({
  estimate: optionGroup(visit).optional(),
  checkout: optionGroup(visit).optional(),
  order: optionGroup(order).optional(),
  pay: anyOption,
  choose: anyOption,
  tabs: anyOption,
  of: anyOption,
  customer: anyOption,
  payAgain: optionGroup({ shipment: anyOption }).optional(),
  repeatStart: anyOption,
  askFor: anyOption,
  switch: anyOption,
  move: anyOption,
  moveUntil: expectation,
  expect: expectation,
  onlyIf: expectation,
  otherwise: anyOption,
} satisfies Record<Member<Step>, z.ZodType>)

/** Throws `ARGUMENT_INVALID` that names the step, and every field of it that does not exist. */
export function checkSteps({ steps }: Scenario): void {
  for (const [place, one] of steps.entries()) checkOptions(`run(): steps[${place}]`, step, one)
}
