/** Asks the service now whether an account still works, and says what it answered. */
import type { ReactNode } from 'react';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useAct } from '../server/use-api.js';
import { Actions, Button, ProblemBox } from '../ui/index.js';
import css from './pages.module.css';

export function CheckAccount({ account }: { account: Reply<'GET /api/connections/:connection'> }): ReactNode {
  const text = useText();
  const { showTime } = useFormats();
  const { mutate, data, error, isPending } = useAct('POST /api/connections/:connection/check');
  // For other accounts there is nothing to ask yet.
  if (!['active', 'expired', 'error'].includes(account.status)) return undefined;
  return (
    <section>
      <h2>{text.checkTitle}</h2>
      <Actions>
        <Button
          needs="connections:write"
          disabled={isPending}
          onClick={() => mutate({ params: { connection: account.id } })}
        >
          {text.checkNow}
        </Button>
      </Actions>
      <p role="status">
        {isPending ? text.checking : undefined}
        {data === undefined || isPending ? undefined : (
          <>
            {text.checked[data.outcome]}{' '}
            {data.reason === undefined || data.outcome === 'unknown' ? undefined : (
              <span lang="en">
                {data.reason}. {data.hint}{' '}
              </span>
            )}
            <time className={css.dim} dateTime={data.checkedAt}>
              {showTime(data.checkedAt)}
            </time>
          </>
        )}
      </p>
      <ProblemBox error={error} />
    </section>
  );
}
