/** A run, or why it is not shown. */
import type { ReactNode } from 'react';
import type { Reply } from '../server/request.js';
import type { Read } from '../server/use-api.js';
import { useMay } from '../shell/session.js';
import { Loaded, MayNote } from '../ui/index.js';

type RunData = Reply<'GET /api/runs/:id'>;

interface LoadedRunProps {
  readonly query: Read<RunData>;
  readonly rows: number;
  readonly children: (run: RunData) => ReactNode;
}

/** To those who may not read the record, the runs of others look as if they did not exist. */
export function LoadedRun({ query, rows, children }: LoadedRunProps) {
  const mayInspect = useMay('audit:read');
  if (!mayInspect && query.error?.status === 404) return <MayNote needs="audit:read" />;
  return (
    <Loaded query={query} rows={rows}>
      {children}
    </Loaded>
  );
}
