import type { ConformanceCase } from '../case.ts'
import { headerCases } from './headers.ts'
import { hostileInputCases } from './hostile-input.ts'
import { latencyCases } from './latency.ts'
import { paymentMethodCases } from './payment-methods.ts'
import { paymentStartCases } from './payment-start.ts'
import { paymentStatusCases } from './payment-status.ts'
import { repeatCases } from './repeats.ts'
import { returnFlowCases } from './return-flow.ts'
import { estimateCases, shipmentMethodCases } from './shipment-methods.ts'
import { tenancyCases } from './tenancy.ts'
import { toleranceCases } from './tolerance.ts'
import { webhookCases } from './webhook.ts'

/** Every case, topic by topic. */
export const conformanceCases: readonly ConformanceCase[] = [
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
