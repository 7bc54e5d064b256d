/** Stopping a call that runs, in whichever process. */
import { HelveError } from '../../domain/errors.js';
import type { Plane } from '../../domain/plane.js';
import { maySee, type Principal, type PrincipalRef } from '../../domain/principal.js';
import type { PlaneParts } from '../../flows/parts.js';
import { draft } from '../../flows/workspaces/index.js';
import { defined } from '../../util/defined.js';

interface RunningCall {
  readonly actor: PrincipalRef;
  readonly tool: string;
}

export function createCancelCall(parts: PlaneParts): Pick<Plane, 'cancelCall'> {
  const { storage, live, journal, now } = parts;
  return {
    async cancelCall(principal, executionId) {
      const { workspaceId } = principal;
      const { intents } = storage.workspace(workspaceId);
      const announced = (await intents.list()).find((intent) => intent.executionId === executionId);
      const call: RunningCall | undefined = announced ?? live.find(workspaceId, executionId);
      if (call === undefined) throw await notRunning(parts, principal, executionId);
      requireMayStop(principal, call.actor);
      const row = { ...draft('execution.stop_requested', principal, now(), {}), executionId, tool: call.tool };
      const answer = announced && (await intents.requestStop(executionId, [row]));
      if (answer === 'not_running') throw await notRunning(parts, principal, executionId);
      // A call without effects that stays on this machine announces nothing.
      if (answer === undefined) await journal.append({ workspaceId, events: [row] });
      live.stop(executionId);
    },
  };
}

/** One's own call, or any that one may see with the permission to act for agents. */
function requireMayStop(principal: Principal, actor: PrincipalRef): void {
  if (actor.id === principal.id && actor.kind === principal.kind) return;
  if (!maySee(principal, principal.workspaceId, actor.id)) throw missing();
  if (principal.permissions.includes('agents:act')) return;
  throw new HelveError('forbidden', `${principal.name} may stop only calls of their own`, {
    hint: 'Use a credential that has the permission agents:act.',
    details: defined({ permission: 'agents:act' }),
  });
}

/** An ended call of others looks like one that does not exist. */
async function notRunning(parts: PlaneParts, principal: Principal, executionId: string): Promise<HelveError> {
  await parts.records.execution(principal, executionId);
  return new HelveError('conflict', 'The call has ended', { hint: 'Read its record for the outcome.' });
}

const missing = (): HelveError => new HelveError('not_found', 'There is no such execution');
