/** Which tools tasks may use, level by level: what a level says, the result with the levels above, and which level decided. */
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useRead } from '../server/use-api.js';
import { Facts, Loaded, Note, Page, Status, Table } from '../ui/index.js';
import css from './pages.module.css';
import { TaskTabs } from './task-tabs.js';
import { ToolConfigForm } from './tool-config-form.js';

const route = getRouteApi('/tasks/tools');
const levels = ['org', 'repo', 'project', 'issue'] as const;
export type Level = (typeof levels)[number];
/** The organisation of what was filed in Helve itself. */
const ownOrg = 'own';

export interface Place {
  readonly level: Level;
  readonly id: string;
}

export function ToolConfig(): ReactNode {
  const text = useText();
  const search = route.useSearch();
  const level = levels.find((each) => each === search.level) ?? 'org';
  const id = search.id ?? (level === 'org' ? ownOrg : '');
  return (
    <Page title={text.tasks.tabs.tools}>
      <TaskTabs />
      <p className={`${css.dim} ${css.measure}`}>{text.tasks.toolsHow}</p>
      <ChoosePlace key={`${level} ${id}`} level={level} id={id} />
      {level === 'issue' && id !== '' ? <LevelsAbove id={id} /> : undefined}
      {id === '' ? undefined : <OfPlace key={`of ${level} ${id}`} place={{ level, id }} />}
    </Page>
  );
}

function ChoosePlace({ level, id }: Place) {
  const text = useText();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState(level);
  const [typed, setTyped] = useState(id);
  // Those who may read the actors are offered the names that exist.
  const known = useRead('GET /api/actors', { query: { kind: chosen, limit: 200 } }).data?.actors ?? [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: '/tasks/tools', search: { level: chosen, id: typed } });
  };
  return (
    <form className={css.bar} onSubmit={submit}>
      <label>
        {text.tasks.level}
        <select
          value={chosen}
          onChange={(event) => {
            setChosen(event.target.value as Level);
            setTyped(event.target.value === 'org' ? ownOrg : '');
          }}
        >
          {levels.map((each) => (
            <option key={each} value={each}>
              {text.tasks.levels[each]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {text.name}
        <input required list="places" value={typed} onChange={(event) => setTyped(event.target.value)} />
      </label>
      <datalist id="places">
        {known.map(({ actor }) => (
          <option key={actor.id} value={actor.id} />
        ))}
      </datalist>
      <button type="submit">{text.tasks.show}</button>
    </form>
  );
}

/** The way from an issue to the levels above it. */
function LevelsAbove({ id }: { id: string }) {
  const text = useText();
  const { data } = useRead('GET /api/issues/:id', { params: { id } });
  if (data === undefined) return undefined;
  const places = [
    ['org', data.org],
    ['repo', data.repo],
    ['project', data.project],
  ] as const;
  return (
    <ul className={css.chips}>
      {places.map(([level, place]) =>
        place === undefined ? undefined : (
          <li key={level}>
            <Link className={css.chip} to="/tasks/tools" search={{ level, id: place }}>
              {text.tasks.levels[level]} {place}
            </Link>
          </li>
        ),
      )}
      <li>
        <Link className={css.chip} to="/tasks/issues/$id" params={{ id }}>
          {text.tasks.levels.issue} {data.title}
        </Link>
      </li>
    </ul>
  );
}

function OfPlace({ place }: { place: Place }) {
  const text = useText();
  const config = useRead('GET /api/tool-config/:level/:id', { params: place });
  const effective = useRead('GET /api/tool-config/:level/:id/effective', { params: place });
  return (
    <div className={css.split}>
      <section>
        <h2>{text.tasks.saysHere}</h2>
        <Loaded query={config} rows={4}>
          {(data) => <ToolConfigForm place={place} config={data} />}
        </Loaded>
      </section>
      <section>
        <h2>{text.tasks.comesOut}</h2>
        {config.missing === undefined ? (
          <Loaded query={effective} rows={4}>
            {(data) => <Effective effective={data} />}
          </Loaded>
        ) : undefined}
      </section>
    </div>
  );
}

type EffectiveConfig = Reply<'GET /api/tool-config/:level/:id/effective'>;
type AnyLevel = NonNullable<EffectiveConfig['defaultsOffBy']>;

/** As the server says it of each app that a level names. */
interface AppReason {
  readonly level: AnyLevel;
  readonly way: 'enabled' | 'disabled' | 'left_out' | 'required';
  readonly requiredBy?: AnyLevel;
}

function Effective({ effective }: { effective: EffectiveConfig }) {
  const text = useText();
  const { apps, disabled, includeDefaults, defaultsOffBy, impossible } = effective;
  const reasons = Object.entries(effective.why as unknown as Record<string, AppReason>);
  const mayUse = (app: string) => (apps === 'all' ? !disabled.includes(app) : apps.includes(app));
  return (
    <>
      {impossible.length === 0 ? undefined : <Note>{text.tasks.impossible(impossible.join(', '))}</Note>}
      <Facts
        rows={[
          [text.apps, apps === 'all' ? text.tasks.allApps : apps.join(', ') || text.tasks.noneOfThem],
          [
            text.withoutAccount,
            includeDefaults
              ? text.tasks.included
              : text.tasks.offBy(defaultsOffBy === undefined ? '' : text.tasks.levels[defaultsOffBy]),
          ],
        ]}
      />
      {reasons.length === 0 ? (
        <p>{text.tasks.noLevelSays}</p>
      ) : (
        <Table
          label={text.tasks.comesOut}
          head={[text.app, text.status, text.why]}
          rows={reasons.map(([app, { level, way, requiredBy }]) => ({
            key: app,
            cells: [
              <code key="app">{app}</code>,
              <Status key="status" kind={mayUse(app) ? 'allow' : 'deny'}>
                {mayUse(app) ? text.tasks.mayBeUsed : text.tasks.excluded}
              </Status>,
              [
                text.tasks.decidedBy(text.tasks.ways[way], text.tasks.levels[level]),
                ...(requiredBy === undefined || way === 'required'
                  ? []
                  : [text.tasks.decidedBy(text.tasks.ways.required, text.tasks.levels[requiredBy])]),
              ].join('; '),
            ],
          }))}
        />
      )}
    </>
  );
}
