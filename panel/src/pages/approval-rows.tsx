/** The calls that wait, as plain rows that lead to the decision. */
import { Link } from '@tanstack/react-router';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { revealHidden, Status, ToolName } from '../ui/index.js';
import css from './pages.module.css';

export type Asked = Reply<'GET /api/approvals/:id'>;

interface ApprovalRowsProps {
  readonly rows: readonly Asked[];
  /** The ids of the rows that are ticked; without it there are no boxes. */
  readonly chosen?: ReadonlySet<string>;
  readonly onChoose?: (chosen: ReadonlySet<string>) => void;
}

export function ApprovalRows({ rows, chosen, onChoose }: ApprovalRowsProps) {
  const text = useText();
  const choose = (id: string, isOn: boolean) => {
    const next = new Set(chosen);
    if (isOn) next.add(id);
    else next.delete(id);
    onChoose?.(next);
  };
  const { showDistance } = useFormats();
  return (
    <ul className={css.rows}>
      {rows.map((asked) => (
        <li key={asked.id}>
          {chosen === undefined ? undefined : (
            <input
              type="checkbox"
              aria-label={text.select(readName(asked))}
              checked={chosen.has(asked.id)}
              onChange={(event) => choose(asked.id, event.target.checked)}
            />
          )}
          <Status kind={asked.status}>{text.approvalStatuses[asked.status]}</Status>
          <Link to="/approvals/$id" params={{ id: asked.id }}>
            <ToolName name={readName(asked)} />
          </Link>
          <span>{asked.principal.name}</span>
          <span className={css.peek}>{revealHidden(JSON.stringify(asked.arguments))}</span>
          <span className={css.dim}>
            {text.askedAndExpires(showDistance(asked.requestedAt), showDistance(asked.expiresAt))}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The model-facing name of the tool that was asked for. */
export function readName({ account, tool, toolkit }: Asked): string {
  return `${account?.slug ?? toolkit}__${tool}`;
}
