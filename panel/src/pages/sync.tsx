/** Reading the catalogue again from its sources: how old it is, what runs, and what ran. */
import type { ReactNode } from 'react';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useAct, useRead } from '../server/use-api.js';
import { Actions, Button, Empty, Facts, Loaded, Note, Page, ProblemBox, Status, Table } from '../ui/index.js';
import css from './pages.module.css';

type Source = Reply<'GET /api/tools/debug/cache-status'>['sources'][number];
type Job = NonNullable<Source['running']>;

export function Sync(): ReactNode {
  const text = useText();
  const status = useRead(
    'GET /api/tools/debug/cache-status',
    {},
    // Its start and its end are on the event stream; how far it is, only in the answer.
    { refetchInterval: (data) => (data?.sources.some(({ running }) => running !== undefined) ? 1_000 : false) },
  );
  return (
    <Page title={text.syncTitle} back="/catalogue">
      <Loaded query={status}>
        {({ sources }) => sources.map((source) => <SourceFacts key={source.source} source={source} />)}
      </Loaded>
      <History />
    </Page>
  );
}

function SourceFacts({ source }: { source: Source }) {
  const text = useText();
  const { showNumber, showDistance } = useFormats();
  const start = useAct('POST /api/tools/sync');
  const backfill = useAct('POST /api/tools/backfill-params');
  const isBusy = source.running !== undefined || start.isPending;
  const blocked = source.configured ? undefined : text.notConfigured;
  const name = source.source;
  return (
    <section>
      <h2>{name}</h2>
      <Facts
        rows={[
          [text.apps, showNumber(source.apps)],
          [text.tools, showNumber(source.actions)],
          [text.triggers, showNumber(source.triggers)],
          [text.withoutParameters, source.withoutParameters === 0 ? undefined : showNumber(source.withoutParameters)],
          [text.age, source.syncedAt === undefined ? text.never : showDistance(source.syncedAt)],
        ]}
      />
      {source.running === undefined ? undefined : <Running job={source.running} />}
      {blocked === undefined ? undefined : <Note>{blocked}</Note>}
      <Actions>
        <Button
          needs="catalogue:write"
          blocked={blocked}
          disabled={isBusy}
          className="primary"
          onClick={() => start.mutate({ body: { source: name, kind: 'full' } })}
        >
          {text.syncFull}
        </Button>
        <Button
          needs="catalogue:write"
          blocked={blocked}
          disabled={isBusy}
          onClick={() => start.mutate({ body: { source: name, kind: 'incremental' } })}
        >
          {text.syncChanges}
        </Button>
        {source.withoutParameters === 0 ? undefined : (
          <Button
            needs="catalogue:write"
            blocked={blocked}
            disabled={isBusy}
            onClick={() => backfill.mutate({ body: { source: name } })}
          >
            {text.backfill}
          </Button>
        )}
      </Actions>
      <ProblemBox error={start.error ?? backfill.error} />
    </section>
  );
}

function Running({ job }: { job: Job }) {
  const text = useText();
  const cancel = useAct('POST /api/tools/sync/:job/cancel');
  return (
    <div className={css.bar}>
      <label>
        {text.phases[job.phase]} {job.done}
        {job.total === undefined ? '' : ` / ${job.total}`}
        <progress {...(job.total === undefined ? {} : { value: job.done, max: job.total })} />
      </label>
      <Button needs="catalogue:write" onClick={() => cancel.mutate({ params: { job: job.id } })}>
        {text.stop}
      </Button>
    </div>
  );
}

const jobStates = { running: 'running', done: 'done', failed: 'failed', cancelled: 'cancelled' } as const;

function History() {
  const text = useText();
  const { showTime, showNumber } = useFormats();
  const history = useRead('GET /api/tools/sync-history', { query: { limit: 50 } });
  return (
    <section>
      <h2>{text.history}</h2>
      <Loaded query={history}>
        {({ jobs }) =>
          jobs.length === 0 ? (
            <Empty>{text.noSync}</Empty>
          ) : (
            <Table
              label={text.history}
              head={[text.when, text.source, text.kind, text.status, text.apps, text.tools, text.why]}
              rows={jobs.map((job) => ({
                key: job.id,
                cells: [
                  showTime(job.startedAt),
                  job.source,
                  text.syncKinds[job.kind],
                  <Status key="status" kind={jobStates[job.status]}>
                    {text.jobStatuses[job.status]}
                  </Status>,
                  showNumber(job.counts.apps),
                  showNumber(job.counts.actions),
                  job.error === undefined ? (
                    job.leftOut && text.leftOut(job.leftOut.length)
                  ) : (
                    <span key="why" lang="en">
                      {job.error}
                    </span>
                  ),
                ],
              }))}
            />
          )
        }
      </Loaded>
    </section>
  );
}
