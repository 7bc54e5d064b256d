/** What verification asks a person about the work on an issue, with the answer next to it. */
import { type FormEvent, useState } from 'react';
import { useText } from '../messages/index.js';
import { useAct } from '../server/use-api.js';
import { Actions, Button, Form, Json, ProblemBox, revealHidden } from '../ui/index.js';
import type { IssueData } from './issue-state.js';
import css from './pages.module.css';

interface Ask {
  readonly check: number;
  readonly question: string;
}

/** The checks that ask a person now. */
export function readAsks({ state, waitsFor }: IssueData): readonly Ask[] {
  if (state !== 'verifying' || typeof waitsFor !== 'object' || waitsFor === null || !('asks' in waitsFor)) return [];
  return waitsFor.asks as readonly Ask[];
}

export function AskedChecks({ issue, asks }: { issue: IssueData; asks: readonly Ask[] }) {
  const text = useText();
  return (
    <section>
      <h2>{text.tasks.isItGood}</h2>
      {issue.result === undefined ? undefined : <HandedIn result={issue.result} />}
      {asks.map((ask) => (
        <AskedCheck key={ask.check} id={issue.id} ask={ask} />
      ))}
    </section>
  );
}

/** What the agent handed in, which is to be judged. */
function HandedIn({ result }: { result: unknown }) {
  const text = useText();
  const said = typeof result === 'object' && result !== null && 'text' in result ? result.text : undefined;
  if (typeof said === 'string') return <p className={css.written}>{revealHidden(said)}</p>;
  return <Json label={text.tasks.handedIn} value={result} />;
}

function AskedCheck({ id, ask: { check, question } }: { id: string; ask: Ask }) {
  const text = useText();
  const [reason, setReason] = useState('');
  const { mutate, error, isPending } = useAct('POST /api/issues/:id/checks/:check');
  const params = { id, check: String(check) };
  const reject = (event: FormEvent) => {
    event.preventDefault();
    mutate({ params, body: { accepted: false, reason } });
  };
  return (
    <Form needs="approvals:decide" className={css.form} onSubmit={reject}>
      <p>{revealHidden(question)}</p>
      <label>
        {text.tasks.whatIsMissing}
        <textarea
          required
          rows={2}
          maxLength={4_000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </label>
      <ProblemBox error={error} />
      <Actions>
        <Button
          className="primary"
          needs="approvals:decide"
          disabled={isPending}
          onClick={() => mutate({ params, body: { accepted: true } })}
        >
          {text.tasks.accept}
        </Button>
        <Button type="submit" needs="approvals:decide" disabled={isPending}>
          {text.tasks.reject}
        </Button>
      </Actions>
    </Form>
  );
}
