export type { Address, EstimateAddress } from './address.ts'
export {
  address,
  addressReader,
  estimateAddress,
  estimateAddressReader,
} from './address.ts'
export {
  type AppSubscription,
  appSubscription,
  type ChargeType,
  chargeTypes,
  type NewAppSubscription,
  newAppSubscription,
} from './app-subscription.ts'
export { type Customer, customer, customerReader } from './customer.ts'
export {
  type ExternalService,
  externalService,
  type NewExternalService,
  newExternalService,
  type ServiceType,
  serviceTypes,
} from './external-service.ts'
export type {
  ChosenPaymentMethod,
  Order,
  PaymentStartRequest,
  PaymentStatus,
} from './payment.ts'
export {
  chosenPaymentMethod,
  order,
  paymentStartAnswer,
  paymentStartReader,
  paymentStartRequest,
  paymentStatusAnswer,
  paymentStatuses,
} from './payment.ts'
export type {
  PaymentMethodsRequest,
  WirePaymentMethod,
} from './payment-methods.ts'
export {
  paymentMethod,
  paymentMethodsAnswer,
  paymentMethodsReader,
  paymentMethodsRequest,
  paymentMethodWriter,
} from './payment-methods.ts'
export { platformErrorBody } from './platform-error.ts'
export { type FieldFault, Problem } from './problem.ts'
export { type ProblemCode, problems } from './problems.ts'
export {
  type Quote,
  type QuoteProduct,
  quote,
  quoteProduct,
  quoteReader,
} from './quote.ts'
export { cleanBody, faultsOf, readMessage } from './read.ts'
export type {
  ShipmentEstimateRequest,
  ShipmentMethodsRequest,
  WireShipmentMethod,
} from './shipment-methods.ts'
export {
  isRateEstimate,
  shipmentEstimateReader,
  shipmentEstimateRequest,
  shipmentMethod,
  shipmentMethodsAnswer,
  shipmentMethodsReader,
  shipmentMethodsRequest,
  shipmentMethodWriter,
} from './shipment-methods.ts'
export { type ShopDetails, shop, shopReader } from './shop.ts'
export { isId, type PersonalFields } from './values.ts'
export { webhookBody, writeWebhookBody } from './webhook.ts'
