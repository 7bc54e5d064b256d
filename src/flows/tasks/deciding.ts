/** Records what people decide about the work on an issue when verification asks them. */
import { principalRef } from '../../audit/index.js';
import { HelveError } from '../../domain/errors.js';
import type { CheckDecision, IssueActs, IssueView } from '../../domain/issue-acts.js';
import type { Principal } from '../../domain/principal.js';
import type { IssueContext } from '../../tasks/index.js';
import { defined } from '../../util/defined.js';
import { order } from './assigning.js';
import { hashOf } from './check-person.js';
import { readIssue } from './issues.js';
import type { TaskParts } from './parts.js';

export function createDeciding(parts: TaskParts): Pick<IssueActs, 'decideCheck'> {
  return { decideCheck: (principal, id, decision) => decideCheck(parts, principal, { id, ...decision }) };
}

interface Decision extends CheckDecision {
  readonly id: string;
}

/** The issue determines the check and who is asked. */
async function decideCheck(
  parts: TaskParts,
  principal: Principal,
  { id, check: at, accepted, reason }: Decision,
): Promise<IssueView> {
  const [{ snapshot }, issue] = await readIssue(parts, principal, id);
  const check = issue?.checks[at];
  if (check?.kind !== 'person')
    throw new HelveError('conflict', `The check ${at} of the issue does not ask a person`, {
      hint: 'Read the issue: waitsFor says which checks ask.',
    });
  requireAsked(principal, check.who);
  if (!accepted && !reason?.trim())
    throw new HelveError('invalid_input', 'Work that is not accepted needs a reason', {
      hint: 'Say what is missing: the agent reads it before it tries again.',
    });
  const { attempts } = snapshot.context as unknown as IssueContext;
  const { kind, id: by, name } = principalRef(principal);
  const said = { check: at, accepted, ...defined({ reason }) };
  return order(parts, principal, {
    id,
    event: { type: 'CHECK_DECIDED', attempt: attempts, of: hashOf(check), by: { kind, id: by, name }, ...said },
    type: 'issue.check_decided',
    body: { ...said, attempt: attempts },
    wanted: accepted ? 'accepted' : 'refused',
  });
}

/** An agent never judges work as a person, whatever it may do. */
function requireAsked(principal: Principal, who: string | undefined): void {
  if (principal.kind === 'agent')
    throw new HelveError('forbidden', 'An agent cannot decide for a person whether work is good');
  if (who === undefined || (principal.kind === 'user' && principal.id === who)) return;
  throw new HelveError('forbidden', 'Another person is asked', {
    hint: 'Only the person whom the check names can decide. To ask someone else, change the checks of the issue.',
  });
}
