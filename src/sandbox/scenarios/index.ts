import { habits } from './habits.ts'
import { methods } from './methods.ts'
import type { Scenario } from './scenario.ts'
import { shipping } from './shipping.ts'
import { endings, starts } from './starts.ts'
import { webhooks } from './webhooks.ts'

const all = [endings, starts, webhooks, methods, habits, shipping]

/** All scenarios, in the order in which `purveyor simulate run --all` plays them. */
export const scenarios: readonly Scenario[] = all.flat()
