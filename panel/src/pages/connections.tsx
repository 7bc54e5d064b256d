/** The accounts: which app, whose, in which state. */
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../messages/index.js';
import { useRead } from '../server/use-api.js';
import { Empty, Loaded, MayLink, Page, Slug, Status } from '../ui/index.js';
import { List } from '../ui/list.js';
import css from './pages.module.css';

export function Connections(): ReactNode {
  const text = useText();
  const navigate = useNavigate();
  const connections = useRead('GET /api/tools/connected');
  const connect = (
    <MayLink needs="connections:write">
      <Link to="/connections/connect" className="button primary">
        {text.connect}
      </Link>
    </MayLink>
  );
  return (
    <Page title={text.nav.connections} actions={connect}>
      <Loaded query={connections}>
        {(data) =>
          data.connections.length === 0 ? (
            <Empty>{text.noConnections}</Empty>
          ) : (
            <List
              label={text.nav.connections}
              rows={data.connections}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => `/panel/connections/${encodeURIComponent(id)}`}
              onOpen={({ id }) => void navigate({ to: '/connections/$id', params: { id } })}
              columns="minmax(0, 2fr) minmax(0, 2fr) minmax(0, 2fr) 112px minmax(0, 1fr)"
            >
              {({ name, slug, toolkit, status, account, visibility }) => (
                <>
                  <span>
                    <strong>{name}</strong> <span className={css.dim}>{toolkit}</span>
                  </span>
                  <span>
                    <Slug slug={slug} />
                  </span>
                  <span>{account?.email ?? account?.name ?? account?.id ?? ''}</span>
                  <Status kind={status}>{text.connectionStatuses[status]}</Status>
                  <span className={css.dim}>{text.visibility[visibility]}</span>
                </>
              )}
            </List>
          )
        }
      </Loaded>
    </Page>
  );
}
