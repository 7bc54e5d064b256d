/** What `helve.yaml` declares is changed there and nowhere else. */
import { HelveError } from '../../domain/errors.js';
import type { Agent } from '../../domain/principal.js';

/** Throws `conflict`. */
export function refuseFileManaged(agent: Agent): Agent {
  if (agent.managedBy !== 'file') return agent;
  throw new HelveError('conflict', `The agent ${agent.slug} is declared in helve.yaml`, {
    hint: 'Change it there and start Helve again.',
  });
}
