/** Which agents have tools of an account and how much they use it: who is affected if it ends. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useAct, useRead } from '../server/use-api.js';
import { useMay, useSession } from '../shell/session.js';
import { Button, Empty, Loaded } from '../ui/index.js';
import { Ask } from './ask.js';
import css from './pages.module.css';

type Account = Reply<'GET /api/connections/:connection'>;

/** `isShort`: without a heading, for a dialog. */
export function Usage({ account, isShort = false }: { account: Account; isShort?: boolean }) {
  const text = useText();
  const { showDistance } = useFormats();
  const mayReadAll = useMay('grants:read');
  const isOwn = useSession()?.user.id === account.ownerId;
  const may = mayReadAll || isOwn;
  const usage = useRead(
    'GET /api/connections/:connection/usage',
    { params: { connection: account.id } },
    { enabled: may },
  );
  const [asked, setAsked] = useState<{ readonly slug: string; readonly name: string } | undefined>();
  const withdraw = useAct('DELETE /api/connections/:connection/agents/:agent', () => setAsked(undefined));
  if (!may) return undefined;
  return (
    <section>
      {isShort ? undefined : <h2>{text.usedBy}</h2>}
      <Loaded query={usage} rows={2}>
        {({ agents }) =>
          agents.length === 0 ? (
            <Empty>{text.unused}</Empty>
          ) : (
            <ul className={css.rows}>
              {agents.map(({ id, slug, name, tools, calls, lastUsedAt }) => (
                <li key={id}>
                  {mayReadAll ? (
                    <Link to="/agents/$slug/tools" params={{ slug }}>
                      {name}
                    </Link>
                  ) : (
                    <span>{name}</span>
                  )}
                  <span className={css.peek}>{tools.join(', ')}</span>
                  <span className={css.dim}>
                    {text.callsOf(calls)}
                    {lastUsedAt === undefined ? '' : `, ${text.used(showDistance(lastUsedAt))}`}
                  </span>
                  {isShort ? undefined : (
                    <span className={css.end}>
                      <Button
                        needs="connections:write"
                        disabled={withdraw.isPending}
                        aria-label={`${text.withdraw}: ${name}`}
                        onClick={() => {
                          withdraw.reset();
                          setAsked({ slug, name });
                        }}
                      >
                        {text.withdraw}
                      </Button>
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {asked === undefined ? undefined : (
        <Ask
          title={text.withdrawAsk(asked.name)}
          verb={text.withdraw}
          act={withdraw}
          onYes={() => withdraw.mutate({ params: { connection: account.id, agent: asked.slug } })}
          onClose={() => setAsked(undefined)}
        >
          {text.withdrawHow}
        </Ask>
      )}
    </section>
  );
}
