/** How long each stage of a call took. The last stage of a refused call is the one that refused. */
import { useMemo } from 'react';
import { useFormats, useText } from '../messages/index.js';
import { useRead } from '../server/use-api.js';
import { Status } from '../ui/index.js';
import { type CallSearch, readFilter } from './call-filter.js';
import css from './pages.module.css';

interface StagesProps {
  readonly id: string;
  readonly search: CallSearch;
  readonly isRefused: boolean;
}

export function Stages({ id, search, isRefused }: StagesProps) {
  const text = useText();
  const { showNumber } = useFormats();
  const query = useMemo(() => readFilter(search, Date.now()), [search]);
  // The same request as that for the calls next to it.
  const { data } = useRead('GET /api/executions/:executionId', { params: { executionId: id }, query });
  if (data?.stages === undefined) return undefined;
  const total = data.stages.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <section>
      <h2>{text.stages}</h2>
      <ol className={css.ladder}>
        {data.stages.map(({ stage, ms }, at) => (
          <li key={stage}>
            {isRefused && at + 1 === data.stages?.length ? (
              <Status kind="refused">{text.stageNames[stage]}</Status>
            ) : (
              <span>{text.stageNames[stage]}</span>
            )}
            <span className={css.stage}>
              {showNumber(ms)} ms
              <meter aria-label={text.stageNames[stage]} min={0} max={Math.max(total, 0.001)} value={ms} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
