/** Finding a tool in one's own words, as an agent would: what fits, why, what was not understood, and what could be connected. */
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../messages/index.js';
import { useRead } from '../server/use-api.js';
import { Empty, Loaded, MayLink, Note, Page, revealHidden, ToolName } from '../ui/index.js';
import { FilterBar, FilterSelect } from './filters.js';
import css from './pages.module.css';

const route = getRouteApi('/find');

export function Find(): ReactNode {
  const text = useText();
  const { q, agent } = route.useSearch();
  const navigate = useNavigate();
  const agents = useRead('GET /api/agents');
  const set = (change: { q?: string | undefined; agent?: string | undefined }) =>
    void navigate({ to: '/find', search: { q, agent, ...change }, replace: true });
  return (
    <Page
      title={text.nav.find}
      actions={
        <MayLink needs="policies:read">
          <Link to="/find/explain" className="button">
            {text.explainTitle}
          </Link>
        </MayLink>
      }
    >
      <p className={css.dim}>{text.findHow}</p>
      <Loaded query={agents}>
        {({ agents: all }) => {
          const chosen = agent ?? all[0]?.slug;
          if (chosen === undefined) return <Empty>{text.noAgents}</Empty>;
          return (
            <>
              <FilterBar label={text.request} value={q} onChange={(typed) => set({ q: typed })}>
                <FilterSelect
                  label={text.agent}
                  value={chosen}
                  options={all.map(({ slug, name }) => [slug, name])}
                  onChange={(slug) => set({ agent: slug })}
                />
              </FilterBar>
              {q === undefined ? <Empty>{text.findEmpty}</Empty> : <Hits q={q} agent={chosen} />}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Hits({ q, agent }: { q: string; agent: string }) {
  const text = useText();
  const findings = useRead('GET /api/tools/search', { query: { q, agent, limit: 20, explain: 'true' } });
  return (
    <Loaded query={findings}>
      {({ hits, answer, unmatched, readAs = [], nearest, hint }) => (
        <>
          {answer === 'nothing' ? <Note>{text.nothingFits}</Note> : undefined}
          {answer === 'perhaps' ? <Note>{text.perhapsFits}</Note> : undefined}
          {readAs.map(({ written, read }) => (
            <p key={written} className={css.dim}>
              {text.readAs(written, read)}
            </p>
          ))}
          {unmatched.length === 0 ? undefined : <p className={css.dim}>{text.notUnderstood(unmatched.join(', '))}</p>}
          {hint === undefined ? undefined : (
            <p className={css.dim} lang="en">
              {hint}
            </p>
          )}
          <ul className={css.rows}>
            {hits.map(({ name, summary, why = [] }) => (
              <li key={name}>
                <Link to="/find/explain" search={{ agent, tool: name }}>
                  <ToolName name={name} />
                </Link>
                <span className={css.fill}>{revealHidden(summary)}</span>
                {why.length === 0 ? undefined : (
                  <span className={css.dim} lang="en">
                    {why.join(' · ')}
                  </span>
                )}
              </li>
            ))}
          </ul>
          {nearest === undefined || nearest.length === 0 ? undefined : (
            <>
              <h2>{text.couldFit}</h2>
              <ul className={css.rows}>
                {nearest.map(({ toolkit, name, connected }) => (
                  <li key={toolkit}>
                    <Link to="/catalogue/apps/$app" params={{ app: toolkit }}>
                      {name}
                    </Link>
                    <span className={css.dim}>{connected ? text.notGranted : text.notConnected}</span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </Loaded>
  );
}
