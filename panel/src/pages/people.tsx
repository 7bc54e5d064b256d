/** The people of the workspace: inviting, roles, leaving; and the person's own sessions. */
import { type FormEvent, type ReactNode, useState } from 'react';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useAct, useRead } from '../server/use-api.js';
import { useMay, useSession } from '../shell/session.js';
import { Actions, Button, Form, Loaded, MayNote, Page, ProblemBox, Status, Table } from '../ui/index.js';
import { Ask } from './ask.js';
import css from './pages.module.css';
import { RemovePerson } from './remove-person.js';
import { SettingsTabs } from './settings-tabs.js';
import { SignInLink } from './sign-in-link.js';
import { Workspaces } from './workspaces.js';

export type Person = Reply<'GET /api/users'>['users'][number];
const roles = ['admin', 'auditor', 'member'] as const;

/** What is asked back before it is done. */
interface Change {
  readonly person: Person;
  readonly body: { readonly role?: Person['role']; readonly disabled?: true };
}

export function People(): ReactNode {
  const text = useText();
  const users = useRead('GET /api/users');
  return (
    <Page title={text.settingsTabs.people}>
      <SettingsTabs />
      <Loaded query={users}>{(data) => <PeopleTable users={data.users} />}</Loaded>
      <Invite />
      <Sessions />
      <Workspaces />
    </Page>
  );
}

function PeopleTable({ users }: { users: readonly Person[] }) {
  const text = useText();
  const own = useSession()?.user.id;
  const mayWrite = useMay('users:write');
  const [leaving, setLeaving] = useState<Person | undefined>();
  const [asked, setAsked] = useState<Change | undefined>();
  const change = useAct('PATCH /api/users/:user', () => setAsked(undefined));
  const ask = (next: Change) => {
    change.reset();
    setAsked(next);
  };
  const link = useAct('POST /api/users/:user/link');
  return (
    <>
      <Table
        label={text.settingsTabs.people}
        head={[text.name, text.email, text.role, text.status, text.change]}
        rows={users.map((person) => ({
          key: person.id,
          cells: [
            `${person.name}${person.id === own ? ` (${text.you})` : ''}`,
            person.email ?? '',
            <select
              key="role"
              aria-label={`${text.role}: ${person.name}`}
              value={person.role}
              disabled={!mayWrite || change.isPending}
              onChange={(event) => ask({ person, body: { role: event.target.value as Person['role'] } })}
            >
              {roles.map((role) => (
                <option key={role} value={role}>
                  {text.roles[role]}
                </option>
              ))}
            </select>,
            <Status key="status" kind={person.status}>
              {text.userStatuses[person.status]}
            </Status>,
            <span key="acts" className={css.acts}>
              <Button
                needs="users:write"
                aria-label={`${text.newLink}: ${person.name}`}
                onClick={() => link.mutate({ params: { user: person.id } })}
              >
                {text.newLink}
              </Button>
              <Button
                needs="users:write"
                aria-label={`${person.status === 'disabled' ? text.enable : text.disable}: ${person.name}`}
                onClick={() =>
                  person.status === 'disabled'
                    ? change.mutate({ params: { user: person.id }, body: { disabled: false } })
                    : ask({ person, body: { disabled: true } })
                }
              >
                {person.status === 'disabled' ? text.enable : text.disable}
              </Button>
              <Button
                needs="users:write"
                aria-label={`${text.remove}: ${person.name}`}
                onClick={() => setLeaving(person)}
              >
                {text.remove}
              </Button>
            </span>,
          ],
        }))}
      />
      <ProblemBox error={(asked === undefined ? change.error : undefined) ?? link.error} />
      {asked === undefined ? undefined : (
        <Ask
          title={asked.body.role === undefined ? text.disableAsk(asked.person.name) : text.roleAsk(asked.person.name)}
          verb={asked.body.role === undefined ? text.disable : text.roles[asked.body.role]}
          act={change}
          onYes={() => change.mutate({ params: { user: asked.person.id }, body: asked.body })}
          onClose={() => setAsked(undefined)}
        >
          {asked.body.role === undefined
            ? text.disableHow
            : `${text.roles[asked.body.role]}: ${text.rolesHow[asked.body.role]}`}
        </Ask>
      )}
      {link.data === undefined ? undefined : <SignInLink link={link.data.link} />}
      {leaving === undefined ? undefined : (
        <RemovePerson person={leaving} users={users} onClose={() => setLeaving(undefined)} />
      )}
    </>
  );
}

function Invite() {
  const text = useText();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Person['role']>('member');
  const { mutate, data, error, isPending } = useAct('POST /api/users', () => {
    setName('');
    setEmail('');
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ body: { name, role, ...(email === '' ? {} : { email }) } });
  };
  return (
    <section>
      <h2>{text.invite}</h2>
      <MayNote needs="users:write" />
      <Form needs="users:write" className={css.bar} onSubmit={submit}>
        <label>
          {text.name}
          <input required value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        <label>
          {text.email} ({text.optional})
          <input type="email" value={email} onChange={(event) => setEmail(event.target.value)} />
        </label>
        <label>
          {text.role}
          <select value={role} onChange={(event) => setRole(event.target.value as Person['role'])}>
            {roles.map((each) => (
              <option key={each} value={each}>
                {text.roles[each]}: {text.rolesHow[each]}
              </option>
            ))}
          </select>
        </label>
        <Button type="submit" needs="users:write" disabled={isPending}>
          {text.invite}
        </Button>
      </Form>
      <ProblemBox error={error} />
      {data === undefined ? undefined : <SignInLink link={data.link} />}
    </section>
  );
}

function Sessions() {
  const text = useText();
  const { showTime } = useFormats();
  const sessions = useRead('GET /api/sessions');
  const end = useAct('DELETE /api/sessions/:id');
  const endAll = useAct('DELETE /api/sessions');
  return (
    <section>
      <h2>{text.sessions}</h2>
      <Loaded query={sessions} rows={2}>
        {(data) => (
          <ul className={css.rows}>
            {data.sessions.map(({ id, createdAt, lastUsedAt, current }) => (
              <li key={id}>
                <span>{showTime(createdAt)}</span>
                {lastUsedAt === undefined ? undefined : (
                  <span className={css.dim}>{text.used(showTime(lastUsedAt))}</span>
                )}
                {current ? <strong>{text.thisSession}</strong> : undefined}
                <span className={css.end}>
                  <button type="button" onClick={() => end.mutate({ params: { id } })}>
                    {text.end}
                  </button>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <Actions>
        <button type="button" onClick={() => endAll.mutate({})}>
          {text.endAll}
        </button>
      </Actions>
      <ProblemBox error={end.error ?? endAll.error} />
    </section>
  );
}
