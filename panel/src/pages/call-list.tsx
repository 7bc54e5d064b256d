/** Calls as rows: when, how they ended, who made them, and with which tool. */
import { useNavigate } from '@tanstack/react-router';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { Status, ToolName } from '../ui/index.js';
import { List } from '../ui/list.js';
import css from './pages.module.css';

export type Execution = Reply<'GET /api/tools/executions'>['executions'][number];

interface CallListProps {
  readonly rows: readonly Execution[];
  readonly onEnd?: () => void;
  readonly onTop?: (isAtTop: boolean) => void;
}

export function CallList({ rows, ...reading }: CallListProps) {
  const text = useText();
  const { showDistance, showTime } = useFormats();
  const navigate = useNavigate();
  return (
    <List
      label={text.nav.calls}
      rows={rows}
      keyOf={({ executionId }) => executionId}
      hrefOf={({ executionId }) => `/panel/calls/${encodeURIComponent(executionId)}`}
      onOpen={({ executionId }) => void navigate({ to: '/calls/$id', params: { id: executionId } })}
      columns="96px 112px minmax(120px, 2fr) minmax(0, 4fr) minmax(0, 2fr)"
      {...reading}
    >
      {({ startedAt, finishedAt, status, actor, onBehalfOf, tool, outcome }) => (
        <>
          <time className={css.dim} dateTime={startedAt} title={showTime(startedAt)}>
            {showDistance(finishedAt ?? startedAt)}
          </time>
          <Status kind={status}>{text.statuses[status]}</Status>
          <span>
            {actor.name}
            {onBehalfOf === undefined ? '' : ` ${text.onBehalf(onBehalfOf.name)}`}
          </span>
          <ToolName name={tool} />
          <span className={css.dim}>{explainOutcome(outcome)}</span>
        </>
      )}
    </List>
  );
}

/** What stands in the row of a call that did not end well: the rule that refused it, or the code of its error. */
function explainOutcome(outcome: Record<string, unknown> | undefined): string {
  const error = outcome?.error as { code?: string } | undefined;
  const rule = typeof outcome?.rule === 'string' ? outcome.rule : undefined;
  return error === undefined ? '' : (rule ?? error.code ?? '');
}
