/** What a program waits for, with the decision next to it: an approval, a time, an answer, or whether a call happened. */
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useAct } from '../server/use-api.js';
import { Actions, Button, Form, Json, ProblemBox, revealHidden, ToolName, useIsPast } from '../ui/index.js';
import css from './pages.module.css';

type RunData = Reply<'GET /api/runs/:id'>;
type Wait = RunData['waits'][number];
type DoubtWait = Extract<Wait, { for: 'doubt' }>;

export function Waits({ run }: { run: RunData }) {
  const text = useText();
  if (run.waits.length === 0) return undefined;
  return (
    <section>
      <h2>{text.waitsFor}</h2>
      <ul className={css.rows}>
        {run.waits.map((wait) => (
          <li key={`${wait.for} ${wait.number ?? ''}`}>
            <WaitRow id={run.id} wait={wait} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function WaitRow({ id, wait }: { id: string; wait: Wait }) {
  const text = useText();
  const { showTime } = useFormats();
  switch (wait.for) {
    case 'approval':
      return (
        <>
          {text.waitKinds.approval}
          <Link to="/approvals/$id" params={{ id: wait.approvalId }}>
            <ToolName name={wait.tool} />
          </Link>
        </>
      );
    case 'time':
      return <>{text.waitsUntil(showTime(wait.until))}</>;
    case 'doubt':
      return wait.forOthers ? <DoubtOfOthers wait={wait} /> : <Doubt id={id} wait={wait} />;
    case 'answer':
      return <Question id={id} wait={wait} />;
  }
}

function DoubtOfOthers({ wait }: { wait: DoubtWait }) {
  const text = useText();
  return (
    <>
      {text.waitKinds.doubt} <ToolName name={wait.tool} />
      <p className={css.dim}>{text.forOthers}</p>
    </>
  );
}

function Doubt({ id, wait }: { id: string; wait: DoubtWait }) {
  const text = useText();
  const [output, setOutput] = useState('');
  const [isWrong, setWrong] = useState(false);
  const { mutate, error, isPending } = useAct('POST /api/runs/:id/decide');
  const { number } = wait;
  const happened = (event: FormEvent) => {
    event.preventDefault();
    try {
      const given = output.trim() === '' ? {} : { output: JSON.parse(output) as unknown };
      mutate({ params: { id }, body: { decision: 'happened', number, ...given } });
    } catch {
      setWrong(true);
    }
  };
  return (
    <Form needs="approvals:decide" className={css.form} onSubmit={happened}>
      <p>
        {text.waitKinds.doubt} <ToolName name={wait.tool} />
      </p>
      <p lang="en">{wait.reason}</p>
      <label>
        {text.doubtOutput}
        <textarea rows={3} value={output} aria-invalid={isWrong} onChange={(event) => setOutput(event.target.value)} />
        {isWrong ? <span role="alert">{text.notJson}</span> : undefined}
      </label>
      <ProblemBox error={error} />
      <Actions>
        <Button type="submit" needs="approvals:decide" disabled={isPending}>
          {text.happened}
        </Button>
        <Button
          needs="approvals:decide"
          disabled={isPending}
          onClick={() => mutate({ params: { id }, body: { decision: 'not_happened', number } })}
        >
          {text.notHappened}
        </Button>
      </Actions>
    </Form>
  );
}

function Question({ id, wait }: { id: string; wait: Extract<Wait, { for: 'answer' }> }) {
  const text = useText();
  const [answer, setAnswer] = useState('');
  const { mutate, error, isPending } = useAct('POST /api/runs/:id/decide');
  const send = (given: string) =>
    mutate({ params: { id }, body: { decision: 'answer', number: wait.number, text: given } });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(answer);
  };
  return (
    <Form needs="approvals:decide" className={css.form} onSubmit={submit}>
      <p>{revealHidden(wait.question)}</p>
      {wait.choices === undefined ? (
        <label>
          {text.yourAnswer}
          <textarea required rows={2} value={answer} onChange={(event) => setAnswer(event.target.value)} />
        </label>
      ) : undefined}
      <ProblemBox error={error} />
      <Actions>
        {wait.choices?.map((choice) => (
          <Button key={choice} needs="approvals:decide" disabled={isPending} onClick={() => send(choice)}>
            {revealHidden(choice)}
          </Button>
        )) ?? (
          <Button type="submit" needs="approvals:decide" disabled={isPending}>
            {text.answer}
          </Button>
        )}
      </Actions>
    </Form>
  );
}

export function Plan({ run }: { run: RunData }) {
  const text = useText();
  const { showTime } = useFormats();
  const { mutate, error, isPending } = useAct('POST /api/runs/:id/decide');
  const { planned } = run;
  const isPast = useIsPast(planned?.expiresAt ?? '');
  if (planned === undefined) return undefined;
  const blocked = isPast ? text.approvalExpired : undefined;
  const decide = (decision: 'approve_plan' | 'reject_plan') => mutate({ params: { id: run.id }, body: { decision } });
  return (
    <section>
      <h2>{text.plan}</h2>
      <p className={css.dim}>{text.planUntil(showTime(planned.expiresAt))}</p>
      <ol className={css.plan}>
        {planned.effects.map((effect) => (
          <li key={effect.number}>
            <ToolName name={effect.tool} />
            <Json label={`${text.args} ${effect.number}`} value={effect.arguments} />
          </li>
        ))}
      </ol>
      <ProblemBox error={error} />
      {planned.status === 'pending' && planned.forOthers ? <p className={css.dim}>{text.forOthers}</p> : undefined}
      {planned.status === 'pending' && !planned.forOthers ? (
        <Actions>
          <Button
            needs="approvals:decide"
            blocked={blocked}
            className="primary"
            disabled={isPending}
            onClick={() => decide('approve_plan')}
          >
            {text.approvePlan}
          </Button>
          <Button needs="approvals:decide" blocked={blocked} disabled={isPending} onClick={() => decide('reject_plan')}>
            {text.reject}
          </Button>
        </Actions>
      ) : undefined}
      {planned.status === 'pending' ? undefined : <p>{text.approvalStatuses[planned.status]}</p>}
    </section>
  );
}
