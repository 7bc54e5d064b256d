/**
 * Connecting an account: the app, the way to sign in with its fields, and the outcome. A provider's page opens in another tab
 * that knows nothing of this one; the state of the connection says when the sign-in is done.
 */
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useText } from '../messages/index.js';
import { saySignIn } from '../messages/sign-in-words.js';
import type { Reply } from '../server/request.js';
import { useAct, useRead } from '../server/use-api.js';
import { useMay } from '../shell/session.js';
import {
  Button,
  Code,
  Empty,
  Form,
  Loaded,
  MayNote,
  Page,
  ProblemBox,
  revealHidden,
  Slug,
  Status,
} from '../ui/index.js';
import { List } from '../ui/list.js';
import { useAppTitle } from './app-title.js';
import { FilterBar } from './filters.js';
import css from './pages.module.css';
import { type Visibility, VisibilityField } from './visibility-field.js';

const chooseRoute = getRouteApi('/connections/connect');
const route = getRouteApi('/connections/connect/$toolkit');
type Connected = Reply<'POST /api/tools/connect'>;
type Scheme = Reply<'GET /api/tools/:toolkit/schemes'>['schemes'][number];

export function ChooseApp(): ReactNode {
  const text = useText();
  const { q } = chooseRoute.useSearch();
  const navigate = useNavigate();
  const toolkits = useRead('GET /api/tools/toolkits');
  const words = (q ?? '').toLowerCase().split(/\s+/);
  return (
    <Page title={text.connect} back="/connections">
      <p className={css.dim}>{text.chooseApp}</p>
      <FilterBar
        value={q}
        onChange={(typed) => void navigate({ to: '/connections/connect', search: { q: typed }, replace: true })}
      />
      <Loaded query={toolkits}>
        {(data) => {
          const apps = data.toolkits
            .map(({ toolkit }) => toolkit)
            .filter(({ needsConnection }) => needsConnection)
            .filter(({ slug, title, description }) => {
              const about = `${slug} ${title} ${description}`.toLowerCase();
              return words.every((word) => about.includes(word));
            });
          return apps.length === 0 ? (
            <Empty>
              {text.noApp} <Link to="/catalogue">{text.nav.catalogue}</Link>
            </Empty>
          ) : (
            <List
              label={text.app}
              rows={apps}
              keyOf={({ slug }) => slug}
              hrefOf={({ slug }) => `/panel/connections/connect/${slug}`}
              onOpen={({ slug }) => void navigate({ to: '/connections/connect/$toolkit', params: { toolkit: slug } })}
              columns="minmax(0, 1fr) 104px minmax(0, 3fr)"
            >
              {({ title, provider, description }) => (
                <>
                  <strong>{revealHidden(title)}</strong>
                  <span className={css.dim}>{provider}</span>
                  <span className={css.peek}>{revealHidden(description)}</span>
                </>
              )}
            </List>
          );
        }}
      </Loaded>
    </Page>
  );
}

export function Connect(): ReactNode {
  const text = useText();
  const { toolkit } = route.useParams();
  const { connection } = route.useSearch();
  const title = useAppTitle(toolkit);
  const [chosen, setChosen] = useState<string | undefined>();
  const schemes = useRead('GET /api/tools/:toolkit/schemes', { params: { toolkit } });
  return (
    <Page title={text.connectTo(title)} back="/connections/connect">
      <MayNote needs="connections:write" />
      <Loaded query={schemes} rows={3}>
        {(data) => {
          const scheme = data.schemes.find(({ id }) => id === chosen) ?? data.schemes[0];
          if (scheme === undefined) return <Empty>{text.noScheme}</Empty>;
          return (
            <>
              {data.schemes.length > 1 ? (
                <fieldset className={css.choices}>
                  <legend>{text.scheme}</legend>
                  {data.schemes.map(({ id, title }) => (
                    <label key={id} className={css.check}>
                      <input type="radio" name="scheme" checked={id === scheme.id} onChange={() => setChosen(id)} />
                      {saySignIn(text, title) ?? title}
                    </label>
                  ))}
                </fieldset>
              ) : undefined}
              <SignIn key={scheme.id} {...{ toolkit, scheme, connection }} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

interface SignInProps {
  readonly toolkit: string;
  readonly scheme: Scheme;
  /** The account that signs in again; undefined: a new one. */
  readonly connection: string | undefined;
}

function SignIn({ toolkit, scheme, connection }: SignInProps) {
  const text = useText();
  const [name, setName] = useState('');
  const mayGrant = useMay('grants:write');
  // Others would have to give it to an agent, and do not see a private one.
  const [visibility, setVisibility] = useState<Visibility>(mayGrant ? 'private' : 'workspace');
  const { mutate, data, error, isPending } = useAct('POST /api/tools/connect');
  // What is typed into the fields is read only here: React would write it into the page.
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const given = scheme.fields
      .map(({ name: field }) => [field, String(typed.get(`field ${field}`) ?? '')])
      .filter(([, value]) => value !== '');
    mutate({
      body: {
        toolkit,
        scheme: scheme.id,
        ...(connection === undefined ? { visibility } : { connection }),
        ...(name === '' ? {} : { name }),
        ...(given.length === 0 ? {} : { credentials: Object.fromEntries(given) }),
      },
    });
  };
  if (data !== undefined) return <Outcome connected={data} />;
  return (
    <Form needs="connections:write" className={css.form} onSubmit={submit} autoComplete="off">
      {connection === undefined ? (
        <>
          <label>
            {text.name} ({text.optional})
            <input value={name} onChange={(event) => setName(event.target.value)} />
            <span>{text.nameHow}</span>
          </label>
          <VisibilityField value={visibility} onChange={setVisibility} />
        </>
      ) : undefined}
      {scheme.fields.map((field) => (
        <label key={field.name}>
          {saySignIn(text, field.title) ?? field.title} ({field.optional ? text.optional : text.required})
          <input
            type={field.secret ? 'password' : 'text'}
            autoComplete="off"
            required={!field.optional}
            pattern={field.pattern}
            name={`field ${field.name}`}
          />
          <FieldHelp written={field.description} />
        </label>
      ))}
      <ProblemBox error={error} />
      <Button type="submit" className="primary" needs="connections:write" disabled={isPending}>
        {text.connectIt}
      </Button>
    </Form>
  );
}

function FieldHelp({ written }: { written: string | undefined }) {
  const text = useText();
  if (written === undefined) return undefined;
  const said = saySignIn(text, written);
  return said === undefined ? <span lang="en">{written}</span> : <span>{said}</span>;
}

function Outcome({ connected }: { connected: Connected }) {
  const text = useText();
  const mayGrant = useMay('grants:write');
  const { id } = connected.connection;
  const connection = useRead(
    'GET /api/connections/:connection',
    { params: { connection: id } },
    { refetchInterval: (data) => (data === undefined || data.status === 'pending' ? 1_500 : false) },
  );
  const data = connection.data ?? connected.connection;
  const isWaiting = data.status === 'pending' || data.status === 'added';
  return (
    <section>
      <p role="status" className={css.lead}>
        <Status kind={data.status}>{text.connectionStatuses[data.status]}</Status>
        <strong>{data.name}</strong>
        <Slug slug={data.slug} />
      </p>
      {data.reason === undefined || data.status === 'active' ? undefined : <p lang="en">{data.reason}</p>}
      {isWaiting && connected.redirectUrl !== undefined ? (
        <>
          <p>{text.waitingProvider}</p>
          <a className="button primary" href={connected.redirectUrl} target="_blank" rel="noopener noreferrer">
            {text.openProvider}
          </a>
          <p>{text.linkForOwner}</p>
          <Code label={text.linkLabel} text={connected.redirectUrl} />
        </>
      ) : undefined}
      {data.status === 'active' && !mayGrant ? (
        <p>{data.visibility === 'private' ? text.privateToNoAgent : text.nowAsk}</p>
      ) : undefined}
      {data.status === 'active' && mayGrant ? (
        <p>
          {text.nowGrant} <Link to="/agents">{text.nav.agents}</Link>
        </p>
      ) : (
        <p>
          <Link to="/connections/$id" params={{ id }}>
            {text.toConnection}
          </Link>
        </p>
      )}
    </section>
  );
}
