/** What notifications need of the other parts. */
import { checkPermissions } from '../../domain/acts.js';
import type { CallRequest } from '../../domain/execution.js';
import type { JsonObject } from '../../domain/json.js';
import { createAccounts } from '../../flows/connecting/index.js';
import type { NotifyingParts } from '../../flows/notifying/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { executeLive } from '../acts/calls.js';
import { createRecord, findDecidable } from '../acts/record.js';
import type { PlaneServices } from './native-services.js';
import { link, type Places } from './places.js';

export interface NotifyingWiring {
  readonly places: Places;
  readonly http: PlaneServices['http'];
  /** `toolkits.slack` of `helve.yaml`. */
  readonly slack: JsonObject | undefined;
}

const slackHooks = 'https://hooks.slack.com';

export function wireNotifying(parts: PlaneParts, { places, http, slack }: NotifyingWiring): NotifyingParts {
  const { decideApproval } = checkPermissions(createRecord(parts));
  const hooks = typeof slack?.hooks_base_url === 'string' ? slack.hooks_base_url : slackHooks;
  return {
    ...parts,
    call: (request: CallRequest) => executeLive(parts, request),
    findDecidable: (principal, id) => findDecidable(parts, principal, id),
    decide: (principal, id, decision) => decideApproval(principal, id, decision, 'slack'),
    pendingDefinitions: createAccounts(parts.accounts).pendingDefinitions,
    http,
    slackHooks: hooks.replace(/\/$/, ''),
    link: (path) => link(places, path),
  };
}
