/** One call: what became of it and why, what went in, what came out, and its rows in the record. */
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useRead } from '../server/use-api.js';
import { useMay } from '../shell/session.js';
import {
  Code,
  Facts,
  Failure,
  Json,
  Loaded,
  Page,
  RuleName,
  revealHidden,
  Slug,
  Status,
  ToolName,
} from '../ui/index.js';
import { type CallSearch, readFilter } from './call-filter.js';
import { Neighbours } from './call-neighbours.js';
import { Stages } from './call-stages.js';
import { Ladder } from './ladder.js';
import css from './pages.module.css';
import { ShownResult } from './result.js';

const route = getRouteApi('/calls/$id');
type Execution = Reply<'GET /api/tools/executions/:executionId'>;

export function Call(): ReactNode {
  const text = useText();
  const { id } = route.useParams();
  const search = route.useSearch();
  const call = useRead(
    'GET /api/tools/executions/:executionId',
    { params: { executionId: id }, query: { as: 'panel' } },
    { refetchInterval: (data) => (data?.status === 'running' ? 1_000 : false) },
  );
  return (
    <Page title={text.callTitle} back="/calls">
      <Loaded query={call}>{(data) => <CallFacts call={data} search={search} />}</Loaded>
    </Page>
  );
}

interface Known {
  readonly input?: unknown;
  readonly rule?: string;
  readonly durationMs?: number;
  readonly intent?: string;
  readonly runId?: string;
  readonly connectionId?: string;
  /** The slug that the account had then. */
  readonly connection?: string;
  readonly error?: { readonly code?: string; readonly message?: string; readonly hint?: string };
}

function CallFacts({ call, search }: { call: Execution; search: CallSearch }) {
  const text = useText();
  const { showTime, showNumber } = useFormats();
  const { actor, onBehalfOf } = call;
  const known = { ...call.started, ...call.outcome } as Known;
  const { error, rule, durationMs, input, intent, runId, connection, connectionId } = known;
  return (
    <>
      <p className={css.lead}>
        <Status kind={call.status}>{text.statuses[call.status]}</Status>
        <ToolName name={call.tool} />
      </p>
      <Facts
        rows={[
          [text.agent, `${actor.name}${onBehalfOf === undefined ? '' : ` ${text.onBehalf(onBehalfOf.name)}`}`],
          [
            text.account,
            connectionId === undefined ? undefined : (
              <Link key="account" to="/connections/$id" params={{ id: connectionId }}>
                <Slug slug={connection ?? connectionId} />
              </Link>
            ),
          ],
          [text.when, showTime(call.startedAt)],
          [text.duration, durationMs === undefined ? undefined : `${showNumber(Math.round(durationMs))} ms`],
          [text.intent, intent && revealHidden(intent)],
          [
            text.runTitle,
            runId === undefined ? undefined : (
              <Link key="run" to="/runs/$id" params={{ id: runId }}>
                {text.toRun}
              </Link>
            ),
          ],
          [
            text.rule,
            rule === undefined ? undefined : (
              <Link key="rule" to="/calls" search={{ rule }}>
                <RuleName rule={rule} />
              </Link>
            ),
          ],
        ]}
      />
      <Neighbours id={call.executionId} search={search} isRunning={call.status === 'running'} />
      {error === undefined ? undefined : <Failure code={error.code} message={error.message} hint={error.hint} />}
      <div className={css.split}>
        <div>
          <Stages id={call.executionId} search={search} isRefused={call.status === 'refused'} />
          <Today call={call} known={known} />
        </div>
        <div>
          <Arguments call={call} input={input} search={search} />
          <ShownResult call={call} />
          <RecordRows id={call.executionId} />
        </div>
      </div>
    </>
  );
}

/** What the layers say to the same call now: they may have been changed since. */
function Today({ call, known }: { call: Execution; known: Known }) {
  const text = useText();
  const mayAsk = useMay('policies:read');
  const { actor, onBehalfOf } = call;
  const { input, connectionId: connection } = known;
  const isAgent = actor.kind === 'agent';
  const question = {
    agent: actor.id,
    tool: call.tool,
    ...(connection === undefined ? {} : { connection }),
    ...(onBehalfOf?.kind === 'user' ? { onBehalfOf: onBehalfOf.id } : {}),
  };
  const given = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : undefined;
  const explained = useRead(
    'POST /api/explain',
    { body: { ...question, ...(given === undefined ? {} : { input: given }) } },
    { enabled: mayAsk && isAgent },
  );
  if (!mayAsk || !isAgent) return undefined;
  return (
    <section>
      <h2>{text.today}</h2>
      <p className={css.dim}>{text.todayHow}</p>
      <Loaded query={explained}>{(explanation) => <Ladder explanation={explanation} agent={actor.name} />}</Loaded>
      <p>
        <Link
          to="/find/explain"
          search={{ ...question, agent: actor.name, ...(given === undefined ? {} : { input: JSON.stringify(given) }) }}
        >
          {text.askAgain}
        </Link>
      </p>
    </section>
  );
}

/** A text as one word of a shell. */
const quote = (text: string): string => (/^\w[\w.-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

const forms = ['json', 'curl', 'cli'] as const;

function Arguments({ call, input, search }: { call: Execution; input: unknown; search: CallSearch }) {
  const text = useText();
  const query = useMemo(() => readFilter(search, Date.now()), [search]);
  // The same request as that for the calls next to it. The name in the record can mean several accounts.
  const { data } = useRead('GET /api/executions/:executionId', { params: { executionId: call.executionId }, query });
  const tool = data?.modelName ?? call.tool;
  const [form, setForm] = useState<(typeof forms)[number]>('json');
  const json = JSON.stringify(input ?? {});
  const shown = {
    json: JSON.stringify(input ?? {}, null, 2),
    curl: [
      `curl ${location.origin}/api/tools/execute \\`,
      '  -H "authorization: Bearer $HELVE_TOKEN" -H "content-type: application/json" \\',
      `  -d ${quote(JSON.stringify({ tool, input: input ?? {} }))}`,
    ].join('\n'),
    // The name is as the caller wrote it, who may have asked for a tool that does not exist.
    cli: `helve call ${quote(tool)} ${quote(json)}`,
  };
  return (
    <section>
      <div className={css.bar}>
        <h2>{text.args}</h2>
        {forms.map((each) => (
          <button key={each} type="button" aria-pressed={form === each} onClick={() => setForm(each)}>
            {text.forms[each]}
          </button>
        ))}
      </div>
      <Code label={text.args} text={shown[form]} />
    </section>
  );
}

function RecordRows({ id }: { id: string }) {
  const text = useText();
  const { data } = useRead('GET /api/audit', { query: { executionId: id } });
  if (data === undefined || data.events.length === 0) return undefined;
  return (
    <section>
      <h2>{text.record}</h2>
      <ul className={css.rows}>
        {data.events.map(({ seq, type, hash, body }) => (
          <li key={seq}>
            <details className={css.fill}>
              <summary>
                {seq} · {type} · <code>{hash.slice(0, 12)}</code>
              </summary>
              <Json label={`${text.record} ${seq}`} value={body} />
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
