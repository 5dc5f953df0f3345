/// <reference types="node" preserve="true" />
export type {
  AppSubscription,
  ChargeType,
  EventRecord,
  EventSubscription,
  ExternalService,
  NewAppSubscription,
  NewEventSubscription,
  NewExternalService,
  ResourceCall,
  ResourceEvent,
  ServiceType,
} from '../contract/index.ts'
export type { Clock } from '../world.ts'
export {
  type CallbackKind,
  type CallbackRules,
  type CallbackVerifier,
  hmacSha256,
  installedSecret,
  md5SortedPairs,
  type SignedFields,
  type VerifiedCallback,
  verifyCallback,
} from './callbacks.ts'
export {
  type Charge,
  type ChargeState,
  type Charges,
  type ChargesOptions,
  createCharges,
  type NewCharge,
} from './charges.ts'
export {
  type AppSubscriptions,
  createPlatformClient,
  type EventSubscriptions,
  type ExternalServices,
  type PlatformClient,
  type PlatformOptions,
  type Product,
} from './client.ts'
export { PlatformError, type PlatformErrorCode, type PlatformErrorDetails } from './errors.ts'
export {
  carryOut,
  type ProbeOptions,
  planRegistration,
  probeEndpoint,
  type RegistrationPlan,
} from './registration.ts'
export type { ListOptions, Resource, ResourceId, ResourceRecord } from './resource.ts'
export {
  type BodyVerifier,
  md5Body,
  type ResourceCallRules,
  verifyResourceCall,
} from './resource.ts'
