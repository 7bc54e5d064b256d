/** One agent: its tools, what it can do with them, its calls, who may act as it, and its settings. */
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../messages/index.js';
import { useRead } from '../server/use-api.js';
import { Empty, Loaded, Page } from '../ui/index.js';
import { CanDo } from './agent-can.js';
import { type AgentData, AgentForm, Tokens } from './agent-settings.js';
import { Tools } from './agent-tools.js';
import { CallList } from './call-list.js';
import { askGrants } from './grant-selection.js';
import css from './pages.module.css';

const toolsRoute = getRouteApi('/agents/$slug/tools');
const canRoute = getRouteApi('/agents/$slug/can');
const callsRoute = getRouteApi('/agents/$slug/calls');
const accessRoute = getRouteApi('/agents/$slug/access');
const settingsRoute = getRouteApi('/agents/$slug/settings');

export function Agent(): ReactNode {
  const { slug } = toolsRoute.useParams();
  const grants = useRead('GET /api/agents/:agent/grants', askGrants(slug));
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
  return <OfAgent slug={slug}>{(agent) => <AgentForm key={slug} agent={agent} />}</OfAgent>;
}

/** Who may act as the agent: its tokens. */
export function AgentAccess(): ReactNode {
  const { slug } = accessRoute.useParams();
  return <OfAgent slug={slug}>{(agent) => <Tokens agent={agent} />}</OfAgent>;
}

/** A page that needs the agent itself. */
function OfAgent({ slug, children }: { slug: string; children: (agent: AgentData) => ReactNode }) {
  const text = useText();
  const agents = useRead('GET /api/agents');
  return (
    <AgentPage slug={slug}>
      <Loaded query={agents}>
        {(data) => {
          const agent = data.agents.find((each) => each.slug === slug);
          return agent === undefined ? <Empty>{text.problems.not_found}</Empty> : children(agent);
        }}
      </Loaded>
    </AgentPage>
  );
}

export function AgentCalls(): ReactNode {
  const { slug } = callsRoute.useParams();
  return <OfAgent slug={slug}>{({ id }) => <Calls key={slug} agent={id} />}</OfAgent>;
}

function Calls({ agent }: { agent: string }) {
  const text = useText();
  const calls = useRead('GET /api/executions', { query: { actor: agent, limit: 200 } });
  return (
    <Loaded query={calls}>
      {({ executions }) =>
        executions.length === 0 ? (
          <Empty>{text.noCalls}</Empty>
        ) : (
          <>
            <CallList rows={executions} search={{ actor: agent }} />
            <p>
              <Link to="/calls" search={{ actor: agent }}>
                {text.allCalls}
              </Link>
            </p>
          </>
        )
      }
    </Loaded>
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
        <Link to="/agents/$slug/tools" params={{ slug }} {...current}>
          {text.tools}
        </Link>
        <Link to="/agents/$slug/can" params={{ slug }} {...current}>
          {text.canDo}
        </Link>
        <Link to="/agents/$slug/calls" params={{ slug }} {...current}>
          {text.nav.calls}
        </Link>
        <Link to="/agents/$slug/access" params={{ slug }} {...current}>
          {text.access}
        </Link>
        <Link to="/agents/$slug/settings" params={{ slug }} {...current}>
          {text.nav.settings}
        </Link>
      </nav>
      {children}
    </Page>
  );
}
