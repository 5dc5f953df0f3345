import { endings } from './endings.ts'
import { methods } from './methods.ts'
import type { Scenario } from './scenario.ts'
import { starts } from './starts.ts'
import { webhooks } from './webhooks.ts'

export const scenarios: readonly Scenario[] = [...endings, ...starts, ...webhooks, ...methods]
