/** Agents that `helve.yaml` declares can be changed only there. */
import { HelveError } from '../../domain/errors.js';
import type { Agent } from '../../domain/principal.js';

/** Throws `conflict` if `helve.yaml` declares the agent. */
export function refuseFileManaged(agent: Agent): Agent {
  if (agent.managedBy !== 'file') return agent;
  throw new HelveError('conflict', `The agent ${agent.slug} is declared in helve.yaml`, {
    hint: 'Change it there and start Helve again.',
  });
}
