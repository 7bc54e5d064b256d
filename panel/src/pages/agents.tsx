/** The agents of the workspace, and adding one. */
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useFormats, useText } from '../messages/index.js';
import { useAct, useRead } from '../server/use-api.js';
import { Button, Empty, Loaded, MayNote, Page, ProblemBox, Slug } from '../ui/index.js';
import { List } from '../ui/list.js';
import css from './pages.module.css';

export function Agents(): ReactNode {
  const text = useText();
  const { showDistance } = useFormats();
  const navigate = useNavigate();
  const agents = useRead('GET /api/agents');
  return (
    <Page title={text.nav.agents}>
      <Loaded query={agents}>
        {(data) =>
          data.agents.length === 0 ? (
            <Empty>{text.noAgents}</Empty>
          ) : (
            <List
              label={text.nav.agents}
              rows={data.agents}
              keyOf={({ id }) => id}
              hrefOf={({ slug }) => `/panel/agents/${slug}/tools`}
              onOpen={({ slug }) => void navigate({ to: '/agents/$slug/tools', params: { slug } })}
              columns="minmax(0, 2fr) minmax(0, 1fr) 120px minmax(0, 1fr)"
            >
              {({ slug, name, toolMode = 'auto', managedBy, createdAt }) => (
                <>
                  <strong>{name}</strong>
                  <span>
                    <Slug slug={slug} />
                  </span>
                  <span>{text.toolModes[toolMode]}</span>
                  <span className={css.dim}>
                    {managedBy === 'file' ? text.inFile : text.addedAt(showDistance(createdAt))}
                  </span>
                </>
              )}
            </List>
          )
        }
      </Loaded>
      <AddAgent />
    </Page>
  );
}

function AddAgent() {
  const text = useText();
  const navigate = useNavigate();
  const [slug, setSlug] = useState('');
  const { mutate, error, isPending } = useAct('POST /api/agents', ({ slug: added }) =>
    navigate({ to: '/agents/$slug/tools', params: { slug: added } }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ body: { slug } });
  };
  return (
    <section>
      <h2>{text.addAgent}</h2>
      <MayNote needs="agents:write" />
      <form className={css.bar} onSubmit={submit}>
        <label>
          {text.slug}
          <input required value={slug} onChange={(event) => setSlug(event.target.value)} />
        </label>
        <Button type="submit" needs="agents:write" disabled={isPending}>
          {text.add}
        </Button>
      </form>
      <ProblemBox error={error} />
    </section>
  );
}
