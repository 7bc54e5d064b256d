/** One agent in three places: its tools, what it can do with them, and its settings and tokens. */
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../messages/index.js';
import { useRead } from '../server/use-api.js';
import { Loaded, Page } from '../ui/index.js';
import { CanDo } from './agent-can.js';
import { AgentForm, Tokens } from './agent-settings.js';
import { Tools } from './agent-tools.js';
import css from './pages.module.css';

const toolsRoute = getRouteApi('/agents/$slug');
const canRoute = getRouteApi('/agents/$slug/can');
const settingsRoute = getRouteApi('/agents/$slug/settings');

export function Agent(): ReactNode {
  const { slug } = toolsRoute.useParams();
  const grants = useRead('GET /api/agents/:agent/grants', { params: { agent: slug } });
  return (
    <AgentPage slug={slug}>
      <Loaded query={grants} rows={10}>
        {(data) => <Tools key={slug} slug={slug} grants={data} />}
      </Loaded>
    </AgentPage>
  );
}

export function AgentCan(): ReactNode {
  const { slug } = canRoute.useParams();
  const effective = useRead('GET /api/agents/:agent/effective', { params: { agent: slug } });
  return (
    <AgentPage slug={slug}>
      <Loaded query={effective} rows={10}>
        {(data) => <CanDo effective={data} />}
      </Loaded>
    </AgentPage>
  );
}

export function AgentSettings(): ReactNode {
  const { slug } = settingsRoute.useParams();
  const agents = useRead('GET /api/agents');
  return (
    <AgentPage slug={slug}>
      <Loaded query={agents}>
        {(data) => {
          const agent = data.agents.find((each) => each.slug === slug);
          return agent === undefined ? undefined : (
            <>
              <AgentForm key={slug} agent={agent} />
              <Tokens agent={agent} />
            </>
          );
        }}
      </Loaded>
    </AgentPage>
  );
}

function AgentPage({ slug, children }: { slug: string; children: ReactNode }) {
  const text = useText();
  const agents = useRead('GET /api/agents').data?.agents;
  const agent = agents?.find((each) => each.slug === slug);
  const current = { activeOptions: { exact: true }, activeProps: { 'aria-current': 'page' as const } };
  return (
    <Page title={agent?.name ?? slug} back="/agents">
      <nav className={css.tabs} aria-label={agent?.name ?? slug}>
        <Link to="/agents/$slug" params={{ slug }} {...current}>
          {text.tools}
        </Link>
        <Link to="/agents/$slug/can" params={{ slug }} {...current}>
          {text.canDo}
        </Link>
        <Link to="/agents/$slug/settings" params={{ slug }} {...current}>
          {text.nav.settings}
        </Link>
        {agent === undefined ? undefined : (
          <Link to="/calls" search={{ actor: agent.id }}>
            {text.nav.calls}
          </Link>
        )}
      </nav>
      {children}
    </Page>
  );
}
