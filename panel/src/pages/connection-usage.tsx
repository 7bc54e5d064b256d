/** Which agents have tools of an account: who is affected if it ends. */

import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useText } from '../messages/index.js';
import { type Reply, send } from '../server/request.js';
import { useAct, useRead } from '../server/use-api.js';
import { useMay } from '../shell/session.js';
import { Button, Empty, ProblemBox } from '../ui/index.js';
import css from './pages.module.css';

type Account = Reply<'GET /api/connections/:connection'>;

/** `isShort`: without a heading, for a dialog. */
export function Usage({ account, isShort = false }: { account: Account; isShort?: boolean }) {
  const text = useText();
  const may = useMay('grants:read');
  const agents = useRead('GET /api/agents').data?.agents ?? [];
  const grants = useQueries({
    queries: agents.map(({ slug }) => ({
      queryKey: ['GET /api/agents/:agent/grants', { params: { agent: slug } }],
      queryFn: () => send('GET /api/agents/:agent/grants', { params: { agent: slug } }),
    })),
  });
  const withdraw = useAct('DELETE /api/connections/:connection/agents/:agent');
  if (!may) return undefined;
  const uses = grants.flatMap(({ data }) => {
    const tools = data?.grants
      .filter(({ connectionId }) => connectionId === account.id)
      .flatMap((grant) => grant.tools);
    return data === undefined || tools === undefined || tools.length === 0 ? [] : [{ agent: data.agent, tools }];
  });
  return (
    <section>
      {isShort ? undefined : <h2>{text.usedBy}</h2>}
      {uses.length === 0 ? (
        <Empty>{text.unused}</Empty>
      ) : (
        <ul className={css.rows}>
          {uses.map(({ agent, tools }) => (
            <li key={agent.slug}>
              <Link to="/agents/$slug/tools" params={{ slug: agent.slug }}>
                {agent.name}
              </Link>
              <span className={css.peek}>{tools.join(', ')}</span>
              <span className={css.dim}>{text.toolsOf(tools.length)}</span>
              {isShort ? undefined : (
                <span className={css.end}>
                  <Button
                    needs="connections:write"
                    disabled={withdraw.isPending}
                    aria-label={`${text.withdraw}: ${agent.name}`}
                    onClick={() => withdraw.mutate({ params: { connection: account.id, agent: agent.slug } })}
                  >
                    {text.withdraw}
                  </Button>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <ProblemBox error={withdraw.error} />
    </section>
  );
}
