/**
 * The parts of Composio's REST API that are used here. The service client handles credentials, retries and rate limits; each
 * request states whether it may be sent twice. Every method throws `HelveError`: errors of the service client, and
 * `upstream_failed` for a response without the required fields.
 */
import type { ServiceClient } from '../../domain/service.js';
import { type AccountCalls, createAccountCalls } from './account-calls.js';
import { type AuthConfigCalls, createAuthConfigCalls } from './auth-config-calls.js';
import { type AuthConfigResolver, createAuthConfigResolver } from './auth-configs.js';
import { createExecuteCall, type Executed, type ExecuteRequest } from './execute-call.js';
import { createListingCalls, type ListingCalls } from './listings.js';
import { type ApiVersion, createRequests } from './requests.js';
import { createTriggerCalls, type TriggerCalls } from './trigger-calls.js';

export interface ComposioClientOptions {
  readonly service: ServiceClient;
  /** For tool calls, each of which can be cancelled. Default: `service`, which cannot. */
  readonly serviceFor?: (signal: AbortSignal) => ServiceClient;
  /** Default: v3.1, or v3 if the server does not have that. */
  readonly apiVersion?: ApiVersion;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export interface ComposioClient extends ListingCalls, AccountCalls, TriggerCalls, AuthConfigCalls, AuthConfigResolver {
  /** Runs the latest version of a tool. The caller must interpret Composio's report of a failure. */
  execute(request: ExecuteRequest): Promise<Executed>;
}

/** Returns a client. Nothing is sent until a method is called. */
export function createComposioClient(options: ComposioClientOptions): ComposioClient {
  const { service, serviceFor, apiVersion, now = Date.now } = options;
  const requests = createRequests(service, apiVersion);
  const listings = createListingCalls(requests);
  const authConfigs = createAuthConfigCalls(requests);
  return {
    ...listings,
    ...authConfigs,
    ...createAccountCalls(requests),
    ...createTriggerCalls(requests),
    ...createAuthConfigResolver({ calls: authConfigs, getToolkit: listings.getToolkit, now }),
    execute: createExecuteCall(requests, serviceFor),
  };
}
