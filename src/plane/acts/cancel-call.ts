/** Stopping a call that runs, in whichever process. */
import { HelveError } from '../../domain/errors.js';
import type { Plane } from '../../domain/plane.js';
import { isOwn, maySee, type Principal, type PrincipalRef } from '../../domain/principal.js';
import type { PlaneParts } from '../../flows/parts.js';
import { draft } from '../../flows/workspaces/index.js';
import { defined } from '../../util/defined.js';

interface RunningCall {
  readonly actor: PrincipalRef;
  readonly onBehalfOf?: PrincipalRef | undefined;
  readonly tool: string;
}

export function createCancelCall(parts: PlaneParts): Pick<Plane, 'cancelCall'> {
  const { storage, live, journal, now } = parts;
  return {
    async cancelCall(principal, executionId) {
      const { workspaceId } = principal;
      const { intents } = storage.workspace(workspaceId);
      const announced = (await intents.list()).find((intent) => intent.executionId === executionId);
      // Only the row of its start says for whom a call is made that another process announced.
      const call: RunningCall | undefined =
        live.find(workspaceId, executionId) ??
        (announced && { ...announced, ...(await findPerson(parts, principal, executionId)) });
      if (call === undefined) throw await notRunning(parts, principal, executionId);
      requireMayStop(principal, call);
      const row = { ...draft('execution.stop_requested', principal, now(), {}), executionId, tool: call.tool };
      const answer = announced && (await intents.requestStop(executionId, [row]));
      if (answer === 'not_running') throw await notRunning(parts, principal, executionId);
      // A call without effects that stays on this machine announces nothing.
      if (answer === undefined) await journal.append({ workspaceId, events: [row] });
      live.stop(executionId);
    },
  };
}

/** For whom a call is made. Throws `not_found` if the principal may not see it. */
async function findPerson(
  { records }: PlaneParts,
  principal: Principal,
  executionId: string,
): Promise<Pick<RunningCall, 'onBehalfOf'>> {
  const { onBehalfOf } = await records.execution(principal, executionId);
  return { onBehalfOf: onBehalfOf as PrincipalRef | undefined };
}

/** One's own call, or any that one may see with the permission to act for agents. */
function requireMayStop(principal: Principal, call: RunningCall): void {
  if (isOwn(principal, call) && call.actor.kind === principal.kind) return;
  if (!maySee(principal, { workspaceId: principal.workspaceId, ...call })) throw missing();
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
