/** The state of a run. Making a plan has succeeded when the plan begins to wait for a person: it is the plan that counts then. */
import { useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { Status } from '../ui/index.js';

type ListedRun = Reply<'GET /api/runs'>['runs'][number];

export function RunState({ run: { status, planned } }: { run: Pick<ListedRun, 'status' | 'planned'> }) {
  const text = useText();
  const waits = planned?.status === 'pending' && Date.parse(planned.expiresAt) > Date.now();
  if (waits) return <Status kind="pending">{text.approvalStatuses.pending}</Status>;
  return <Status kind={status}>{text.runStatuses[status]}</Status>;
}
