/** One actor of tasks: its state, what it keeps, its timers, its work, and the last events that it was told. */
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useRead } from '../server/use-api.js';
import { useFollow } from '../server/use-follow.js';
import { Empty, Facts, Json, Loaded, Page, Status, Table } from '../ui/index.js';
import { markOf } from './actors.js';
import { Machine, readState, useMachine, useMachineWords } from './machine.js';
import css from './pages.module.css';

const route = getRouteApi('/tasks/actors/$kind/$id');
type ActorData = Reply<'GET /api/actors/:kind/:id'>;
type Kind = ActorData['actor']['kind'];

export function Actor(): ReactNode {
  const { kind, id } = route.useParams();
  // A kind that does not exist is refused by the server, and the page says so.
  const params = { kind: kind as Kind, id };
  const actor = useRead('GET /api/actors/:kind/:id', { params });
  return (
    <Page title={id} back="/tasks/actors">
      <Loaded query={actor} rows={10}>
        {(data) => <ActorParts key={`${kind} ${id}`} actor={data} />}
      </Loaded>
    </Page>
  );
}

function ActorParts({ actor }: { actor: ActorData }) {
  const text = useText();
  const { kind, id } = actor.actor;
  const { sayState } = useMachineWords();
  const machine = useMachine(kind);
  const state = readState(actor.snapshot.value);
  useFollow(`/api/actors/${kind}/${encodeURIComponent(id)}/events`, 'actor', ['GET /api/actors/:kind/:id']);
  return (
    <>
      <p className={css.lead}>
        <Status kind={markOf(state)}>{sayState(state)}</Status>
        <span>{text.tasks.actorKinds[kind]}</span>
        {kind === 'issue' ? (
          <Link to="/tasks/issues/$id" params={{ id }}>
            {text.tasks.toIssue}
          </Link>
        ) : undefined}
      </p>
      <div className={css.split}>
        <div>
          <ActorFacts actor={actor} />
          <Work actor={actor} />
          <Timers actor={actor} />
          <Events actor={actor} />
        </div>
        <div>
          {machine === undefined ? undefined : <Machine machine={machine} state={state} />}
          <section className={css.capped}>
            <h2>{text.tasks.context}</h2>
            <Json label={text.tasks.context} value={actor.snapshot.context} />
          </section>
        </div>
      </div>
    </>
  );
}

function ActorFacts({ actor }: { actor: ActorData }) {
  const text = useText();
  const { showTime, showNumber, showDistance } = useFormats();
  const { lastHeartbeat } = actor;
  return (
    <section>
      <h2>{text.tasks.facts}</h2>
      <Facts
        rows={[
          [text.tasks.started, showTime(actor.createdAt)],
          [text.tasks.lastEvent, showTime(actor.updatedAt)],
          [text.tasks.appliedEvents, showNumber(actor.version)],
          [text.tasks.heartbeat, lastHeartbeat === undefined ? undefined : showDistance(lastHeartbeat)],
        ]}
      />
    </section>
  );
}

function Work({ actor: { work } }: { actor: ActorData }) {
  const text = useText();
  const { showTime, showDistance } = useFormats();
  return (
    <section>
      <h2>{text.tasks.work}</h2>
      {work.length === 0 ? (
        <Empty>{text.tasks.noWork}</Empty>
      ) : (
        <Table
          label={text.tasks.work}
          head={[text.name, text.tasks.attempt, text.tasks.started, text.tasks.heartbeat, text.tasks.progress]}
          rows={work.map(({ id, name, attempt, startedAt, lastHeartbeat, progress }) => ({
            key: id,
            cells: [
              name,
              `${attempt}`,
              showTime(startedAt),
              lastHeartbeat === undefined ? text.never : showDistance(lastHeartbeat),
              progress === undefined ? '' : <code key="progress">{JSON.stringify(progress)}</code>,
            ],
          }))}
        />
      )}
    </section>
  );
}

function Timers({ actor: { timers } }: { actor: ActorData }) {
  const text = useText();
  const { sayEvent } = useMachineWords();
  const { showTime, showDistance } = useFormats();
  if (timers.length === 0) return undefined;
  return (
    <section>
      <h2>{text.tasks.timers}</h2>
      <Table
        label={text.tasks.timers}
        head={[text.name, text.tasks.due, text.tasks.event]}
        rows={timers.map(({ name, dueAt, event }) => ({
          key: name,
          cells: [
            name,
            <time key="due" dateTime={dueAt} title={showTime(dueAt)}>
              {showDistance(dueAt)}
            </time>,
            sayEvent(typeof event.type === 'string' ? event.type : ''),
          ],
        }))}
      />
    </section>
  );
}

/** Newest first: old events say least about the current state. */
function Events({ actor: { events } }: { actor: ActorData }) {
  const text = useText();
  const { sayEvent, sayState } = useMachineWords();
  const { showTime } = useFormats();
  return (
    <section>
      <h2>{text.tasks.events}</h2>
      {events.length === 0 ? <Empty>{text.tasks.noEvents}</Empty> : undefined}
      <ol className={`${css.rows} ${css.happened}`}>
        {[...events].reverse().map(({ id, event, at, value, setAside }) => (
          <li key={id}>
            <time className={css.dim} dateTime={at}>
              {showTime(at)}
            </time>
            <details className={css.fill}>
              <summary>
                {sayEvent(typeof event.type === 'string' ? event.type : '')}
                {value === undefined ? '' : ` → ${sayState(readState(value))}`}
              </summary>
              <Json label={`${text.tasks.event} ${id}`} value={event} />
            </details>
            {setAside === undefined ? undefined : (
              <span className={css.evidence}>
                <Status kind="refused">{text.tasks.setAside}</Status> <span lang="en">{setAside}</span>
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
