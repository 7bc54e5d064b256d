/** One app: what it is, the accounts of the workspace, and which of its tools the workspace allows. */
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../messages/index.js';
import { useAct, useRead } from '../server/use-api.js';
import {
  Actions,
  Button,
  Empty,
  Loaded,
  MayLink,
  Note,
  Page,
  ProblemBox,
  revealHidden,
  Slug,
  Status,
} from '../ui/index.js';
import { AppTools } from './app-tools.js';
import css from './pages.module.css';

const route = getRouteApi('/catalogue/apps/$app');

export function App(): ReactNode {
  const text = useText();
  const { app } = route.useParams();
  const apps = useRead('GET /api/tools/toolkits');
  const accounts = useRead('GET /api/tools/connected').data?.connections.filter(({ toolkit }) => toolkit === app) ?? [];
  const change = useAct('POST /api/tools/:toolkit/actions');
  const known = apps.data?.toolkits.find(({ toolkit }) => toolkit.slug === app);
  return (
    <Page title={revealHidden(known?.toolkit.title ?? app)} back="/catalogue">
      <Loaded query={apps} rows={10}>
        {() => {
          const { toolkit, setting } = known ?? {};
          return (
            <>
              <p className={css.measure}>{revealHidden(toolkit?.description ?? '')}</p>
              <Actions>
                {toolkit?.needsConnection ? (
                  <MayLink needs="connections:write">
                    <Link to="/connections/connect/$toolkit" params={{ toolkit: app }} className="button primary">
                      {text.connect}
                    </Link>
                  </MayLink>
                ) : undefined}
                <Button
                  needs="catalogue:write"
                  disabled={change.isPending}
                  onClick={() =>
                    change.mutate({ params: { toolkit: app }, body: { enabled: setting?.enabled === false } })
                  }
                >
                  {setting?.enabled === false ? text.switchOn : text.switchOff}
                </Button>
              </Actions>
              <ProblemBox error={change.error} />
              {setting?.enabled !== false ? undefined : <Note>{text.isOff}</Note>}
              <h2>{text.nav.connections}</h2>
              {accounts.length === 0 ? (
                <Empty>{toolkit?.needsConnection ? text.noConnections : text.needsNone}</Empty>
              ) : (
                <ul className={css.rows}>
                  {accounts.map(({ id, name, slug, status }) => (
                    <li key={id}>
                      <Link to="/connections/$id" params={{ id }}>
                        {name}
                      </Link>
                      <Slug slug={slug} />
                      <Status kind={status}>{text.connectionStatuses[status]}</Status>
                    </li>
                  ))}
                </ul>
              )}
              <h2>{text.tools}</h2>
              <AppTools key={app} app={app} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
