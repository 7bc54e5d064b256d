/** Giving an issue to an agent, taking it back, repeating and cancelling it: what the present state allows. */
import { type FormEvent, useState } from 'react';
import { useText } from '../messages/index.js';
import { useAct } from '../server/use-api.js';
import { Button, Form, ProblemBox } from '../ui/index.js';
import type { IssueData } from './issue-state.js';
import { leavingFrom, type MachineData } from './machine.js';
import { AgentField } from './new-issue.js';
import css from './pages.module.css';

interface IssueActionsProps {
  readonly issue: IssueData;
  readonly machine: MachineData;
  readonly state: string;
}

export function IssueActions({ issue, machine, state }: IssueActionsProps) {
  const text = useText();
  const unassign = useAct('POST /api/issues/:id/unassign');
  const retry = useAct('POST /api/issues/:id/retry');
  const cancel = useAct('POST /api/issues/:id/cancel');
  const possible = new Set(leavingFrom(machine, state).map(({ event }) => event));
  const params = { id: issue.id };
  // The button that repeats a failed issue is next to the reason.
  const canRetry = possible.has('RETRY') && issue.state !== 'failed';
  const isBusy = unassign.isPending || retry.isPending || cancel.isPending;
  return (
    <>
      <div className={`${css.bar} ${css.below}`}>
        {possible.has('ASSIGN_AGENT') ? <Assign key={issue.agent} issue={issue} /> : undefined}
        {canRetry ? (
          <Button needs="agents:act" disabled={isBusy} onClick={() => retry.mutate({ params })}>
            {text.tasks.retry}
          </Button>
        ) : undefined}
        {possible.has('UNASSIGN') && issue.agent !== undefined ? (
          <Button needs="tools:call" disabled={isBusy} onClick={() => unassign.mutate({ params })}>
            {text.tasks.unassign}
          </Button>
        ) : undefined}
        {possible.has('CANCEL') ? (
          <Button needs="tools:call" disabled={isBusy} onClick={() => cancel.mutate({ params })}>
            {text.tasks.cancelIssue}
          </Button>
        ) : undefined}
      </div>
      <ProblemBox error={unassign.error ?? retry.error ?? cancel.error} />
    </>
  );
}

function Assign({ issue }: { issue: IssueData }) {
  const text = useText();
  const [agent, setAgent] = useState(issue.agent ?? '');
  const { mutate, error, isPending } = useAct('POST /api/issues/:id/assign');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ params: { id: issue.id }, body: { agent } });
  };
  return (
    <>
      <Form needs="agents:act" className={css.inline} onSubmit={submit}>
        <AgentField value={agent} onChange={setAgent} isRequired />
        <Button
          type="submit"
          className={issue.state === 'idle' ? 'primary' : undefined}
          needs="agents:act"
          disabled={isPending}
        >
          {issue.agent === undefined || issue.agent !== agent ? text.tasks.assign : text.tasks.assignAgain}
        </Button>
      </Form>
      <ProblemBox error={error} />
    </>
  );
}
