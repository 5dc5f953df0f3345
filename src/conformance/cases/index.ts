import type { RunnableCase } from '../case.ts'
import { headerCases, tenancyCases } from './endpoint.ts'
import { hostileInputCases } from './hostile-input.ts'
import { estimateCases, paymentMethodCases, shipmentMethodCases } from './lists.ts'
import { latencyCases, repeatCases } from './load.ts'
import { paymentStartCases } from './payment-start.ts'
import { paymentStatusCases } from './payment-status.ts'
import { returnFlowCases } from './return-flow.ts'
import { toleranceCases } from './tolerance.ts'
import { webhookCases } from './webhook.ts'

export const allCases: readonly RunnableCase[] = [
  ...shipmentMethodCases,
  ...estimateCases,
  ...paymentMethodCases,
  ...paymentStartCases,
  ...paymentStatusCases,
  ...returnFlowCases,
  ...webhookCases,
  ...repeatCases,
  ...toleranceCases,
  ...hostileInputCases,
  ...headerCases,
  ...latencyCases,
  ...tenancyCases,
]
