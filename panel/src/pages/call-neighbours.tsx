/** The way to the next and the previous call under the filter of the list, stopping a call that runs, and its approval. */
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useText } from '../messages/index.js';
import { useAct, useRead } from '../server/use-api.js';
import { Actions, Button, ProblemBox } from '../ui/index.js';
import { type CallSearch, readFilter } from './call-filter.js';

interface NeighboursProps {
  readonly id: string;
  readonly search: CallSearch;
  readonly isRunning: boolean;
}

export function Neighbours({ id, search, isRunning }: NeighboursProps) {
  const text = useText();
  const query = useMemo(() => readFilter(search, Date.now()), [search]);
  const { data } = useRead('GET /api/executions/:executionId', { params: { executionId: id }, query });
  const stop = useAct('POST /api/executions/:executionId/cancel');
  return (
    <>
      <Actions>
        {data?.previous === undefined ? undefined : (
          <Link to="/calls/$id" params={{ id: data.previous }} search={search} className="button">
            ← {text.newer}
          </Link>
        )}
        {data?.next === undefined ? undefined : (
          <Link to="/calls/$id" params={{ id: data.next }} search={search} className="button">
            {text.older} →
          </Link>
        )}
        {data?.approval === undefined ? undefined : (
          <Link to="/approvals/$id" params={{ id: data.approval.id }} className="button">
            {text.itsApproval}
          </Link>
        )}
        {isRunning ? (
          <Button
            needs="agents:act"
            disabled={stop.isPending}
            onClick={() => stop.mutate({ params: { executionId: id } })}
          >
            {text.stop}
          </Button>
        ) : undefined}
      </Actions>
      <ProblemBox error={stop.error} />
    </>
  );
}
