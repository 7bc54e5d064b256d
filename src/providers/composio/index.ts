/** Composio: its catalogue, the accounts there, its tools and its triggers. */
export { type ComposioClient, type ComposioClientOptions, createComposioClient } from './client.js';
export {
  type ComposioProvider,
  type ComposioProviderOptions,
  createComposioProvider,
} from './composio-provider.js';
export { type ComposioSourceOptions, createComposioSource } from './composio-source.js';
export type { AdmitSchema, RefusedAction } from './describe-action.js';
export type { ApiVersion } from './requests.js';
export { composioService } from './service.js';
export type { TriggerSubscription } from './trigger-calls.js';
export { readTriggerEvent, type TriggerEventOptions } from './trigger-event.js';
