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
export * from './charges.ts'
export {
  type AppSubscriptions,
  createPlatformClient,
  type EventSubscriptions,
  type ExternalServices,
  type PlatformClient,
  type PlatformOptions,
  type Product,
} from './client.ts'
export * from './errors.ts'
export {
  type BodyVerifier,
  type ListOptions,
  md5Body,
  type Resource,
  type ResourceCallRules,
  type ResourceId,
  type ResourceRecord,
  verifyResourceCall,
} from './resource.ts'
