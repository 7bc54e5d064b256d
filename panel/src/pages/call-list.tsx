/** Calls as rows: when, how they ended, who made them, with which tool, and the first of what they said. */
import { useNavigate } from '@tanstack/react-router';
import { sayFailure } from '../messages/failure-words.js';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useRead } from '../server/use-api.js';
import { RuleName, revealHidden, Status, ToolName } from '../ui/index.js';
import { List } from '../ui/list.js';
import type { CallSearch } from './call-filter.js';
import css from './pages.module.css';

export type CallRow = Reply<'GET /api/executions'>['executions'][number];

interface CallListProps {
  readonly rows: readonly CallRow[];
  /** The filter that the next and the previous call keep. */
  readonly search?: CallSearch;
  readonly onEnd?: () => void;
  readonly onTop?: (isAtTop: boolean) => void;
}

export function CallList({ rows, search = {}, ...reading }: CallListProps) {
  const text = useText();
  const { showDistance, showTime, showNumber } = useFormats();
  const navigate = useNavigate();
  const accounts = useRead('GET /api/tools/connected').data?.connections ?? [];
  const slugs = new Map(accounts.map(({ id, slug }) => [id, slug]));
  const filter = new URLSearchParams(Object.entries(search).filter(([, value]) => value !== undefined));
  return (
    <List
      label={text.nav.calls}
      rows={rows}
      keyOf={({ executionId }) => executionId}
      hrefOf={({ executionId }) =>
        `/panel/calls/${encodeURIComponent(executionId)}${filter.size > 0 ? `?${filter}` : ''}`
      }
      onOpen={({ executionId }) => void navigate({ to: '/calls/$id', params: { id: executionId }, search })}
      columns="88px 104px minmax(0, 3fr) minmax(0, 4fr) minmax(0, 4fr) 72px"
      {...reading}
    >
      {({
        startedAt,
        finishedAt,
        status,
        actor,
        onBehalfOf,
        tool,
        connectionId,
        rule,
        error,
        summary = '',
        durationMs,
      }) => (
        <>
          <time className={css.dim} dateTime={startedAt} title={showTime(startedAt)}>
            {showDistance(finishedAt ?? startedAt)}
          </time>
          <Status kind={status}>{text.statuses[status]}</Status>
          <span className={css.cut}>
            {revealHidden(actor.name)}
            {onBehalfOf === undefined ? '' : ` ${text.onBehalf(onBehalfOf.name)}`}
          </span>
          <span className={css.cut}>
            <ToolName name={nameWithAccount(tool, slugs.get(connectionId ?? ''))} />
          </span>
          <span className={css.peek}>
            {status === 'refused' && rule !== undefined ? (
              <RuleName rule={rule} />
            ) : (
              (sayFailure(text, error?.code) ?? error?.code ?? revealHidden(summary))
            )}
          </span>
          <span className={css.number}>
            {durationMs === undefined ? '' : `${showNumber(Math.round(durationMs))} ms`}
          </span>
        </>
      )}
    </List>
  );
}

/** `Stripe.listCustomers` → `europe.listCustomers`: of two accounts of one app, which one acted. */
function nameWithAccount(tool: string, slug: string | undefined): string {
  return slug === undefined ? tool : tool.replace(/^[^.]+(?=\.)/, slug);
}
