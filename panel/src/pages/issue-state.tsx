/** The state of an issue in words, and who has it. */
import { useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { Status } from '../ui/index.js';

export type IssueData = Reply<'GET /api/issues/:id'>;

/** In the order in which an issue passes through them. */
export const issueStates = [
  'idle',
  'preparing',
  'blocked',
  'executing',
  'verifying',
  'failed',
  'done',
  'cancelled',
] as const satisfies readonly IssueData['state'][];

/** An issue that waits for a person within its work is marked like everything else that does. */
export function IssueState({ issue: { state, phase } }: { issue: Pick<IssueData, 'state' | 'phase'> }) {
  const text = useText();
  const asks = phase === 'waiting_for_approval' || phase === 'waiting_for_answer';
  const words = phase === undefined ? text.tasks.states[state] : namePhase(text.tasks.phases, phase);
  return <Status kind={asks ? 'waiting' : state}>{words}</Status>;
}

/** A phase that this version of the panel does not know is shown as the server calls it. */
const namePhase = (phases: Readonly<Record<string, string>>, phase: string): string => phases[phase] ?? phase;
