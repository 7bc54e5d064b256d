/** What notifications need of the other parts. */
import type { CallRequest } from '../../domain/execution.js';
import { createAccounts } from '../../flows/connecting/index.js';
import type { NotifyingParts } from '../../flows/notifying/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { executeLive } from '../acts/calls.js';
import { findDecidable } from '../acts/record.js';
import type { PlaneServices } from './native-services.js';
import { link, type Places } from './places.js';

export interface NotifyingWiring {
  readonly places: Places;
  readonly http: PlaneServices['http'];
}

export function wireNotifying(parts: PlaneParts, { places, http }: NotifyingWiring): NotifyingParts {
  return {
    ...parts,
    call: (request: CallRequest) => executeLive(parts, request),
    findDecidable: (principal, id) => findDecidable(parts, principal, id),
    pendingDefinitions: createAccounts(parts.accounts).pendingDefinitions,
    http,
    link: (path) => link(places, path),
  };
}
