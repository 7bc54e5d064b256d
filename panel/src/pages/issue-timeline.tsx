/** What happened to an issue, oldest first, with the comments of people and agents; and adding one. */
import { type FormEvent, useState } from 'react';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useAct } from '../server/use-api.js';
import { Actions, Button, Form, ProblemBox, revealHidden } from '../ui/index.js';
import type { IssueData } from './issue-state.js';
import { useMachineWords } from './machine.js';
import css from './pages.module.css';

type Entry = Reply<'GET /api/issues/:id/timeline'>['entries'][number];

export function IssueTimeline({ issue, entries }: { issue: IssueData; entries: readonly Entry[] }) {
  const text = useText();
  const { showTime } = useFormats();
  // Entries have no name of their own, and keep their order.
  const rows = entries.map((entry, at) => ({ key: `${at} ${entry.at}`, entry }));
  return (
    <section>
      <h2>{text.tasks.timeline}</h2>
      <ol className={`${css.rows} ${css.happened}`}>
        {rows.map(({ key, entry }) => (
          <li key={key}>
            <time className={css.dim} dateTime={entry.at}>
              {showTime(entry.at)}
            </time>
            <Happened entry={entry} />
          </li>
        ))}
      </ol>
      <NewComment issue={issue} />
    </section>
  );
}

function Happened({ entry }: { entry: Entry }) {
  const text = useText();
  const { sayEvent, sayState } = useMachineWords();
  if (entry.what === 'created') return <span>{text.tasks.filedByWhom(entry.by.name)}</span>;
  if (entry.what === 'comment')
    return (
      <div className={css.fill}>
        <strong>{entry.comment.author.name}</strong>
        <p className={css.written}>{revealHidden(entry.comment.text)}</p>
      </div>
    );
  const why = entry.setAside ?? entry.why;
  return (
    <div className={css.fill}>
      {sayEvent(entry.type)}
      {entry.state === undefined ? '' : ` → ${sayState(entry.state)}`}
      {why === undefined ? undefined : (
        <p className={css.dim} lang="en">
          {revealHidden(why)}
        </p>
      )}
    </div>
  );
}

function NewComment({ issue }: { issue: IssueData }) {
  const text = useText();
  const [comment, setComment] = useState('');
  const { mutate, error, isPending } = useAct('POST /api/issues/:id/comments', () => setComment(''));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ params: { id: issue.id }, body: { text: comment } });
  };
  return (
    <Form needs="tools:call" className={css.form} onSubmit={submit}>
      <label>
        {text.tasks.comment}
        <textarea required rows={3} value={comment} onChange={(event) => setComment(event.target.value)} />
      </label>
      <p className={css.dim}>{text.tasks.commentHow}</p>
      <ProblemBox error={error} />
      <Actions>
        <Button type="submit" needs="tools:call" disabled={isPending}>
          {text.tasks.addComment}
        </Button>
      </Actions>
    </Form>
  );
}
