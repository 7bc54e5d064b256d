/**
 * Composio's REST API, as much of it as is used here. Credentials, retries and rate limits are the service client's;
 * what a request may do twice is said with it. Every method throws `HelveError`: what the service client throws, and
 * `upstream_failed` for an answer without the fields that are read.
 */
import type { ServiceClient } from '../../domain/service.js';
import { type AccountCalls, createAccountCalls } from './account-calls.js';
import { readMostTexts } from './answer-fields.js';
import { type AuthConfigCalls, createAuthConfigCalls } from './auth-config-calls.js';
import { type AuthConfigResolver, createAuthConfigResolver } from './auth-configs.js';
import { createExecuteCall, type Executed, type ExecuteRequest } from './execute-call.js';
import { createListingCalls, type ListingCalls } from './listings.js';
import { type ApiVersion, createRequests } from './requests.js';
import { createTriggerCalls, type TriggerCalls } from './trigger-calls.js';

export interface ComposioClientOptions {
  readonly service: ServiceClient;
  /** For the calls of tools, each of which can be cancelled. Default: `service`, which cannot. */
  readonly serviceFor?: (signal: AbortSignal) => ServiceClient;
  /** Default: v3.1, and v3 where that is not there. */
  readonly apiVersion?: ApiVersion;
  /** How long an auth config is taken to be there without asking. Default: one hour. */
  readonly cacheMs?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export interface ComposioClient extends ListingCalls, AccountCalls, TriggerCalls, AuthConfigCalls, AuthConfigResolver {
  /** The slug of every tool. */
  toolSlugs(): Promise<readonly string[]>;
  /** Runs a tool, with the latest version of it. What Composio says of a failure is the caller's to judge. */
  execute(request: ExecuteRequest): Promise<Executed>;
}

const hourMs = 60 * 60_000;

export function createComposioClient(options: ComposioClientOptions): ComposioClient {
  const { service, serviceFor, apiVersion, cacheMs = hourMs, now = Date.now } = options;
  const requests = createRequests(service, apiVersion);
  const listings = createListingCalls(requests);
  const authConfigs = createAuthConfigCalls(requests);
  return {
    ...listings,
    ...authConfigs,
    ...createAccountCalls(requests),
    ...createTriggerCalls(requests),
    ...createAuthConfigResolver({ calls: authConfigs, getToolkit: listings.getToolkit, cacheMs, now }),
    execute: createExecuteCall(requests, serviceFor),
    async toolSlugs() {
      const route = '/tools/enum';
      return readMostTexts(await requests.json({ route }), { route: `GET ${route}`, path: '' });
    },
  };
}
