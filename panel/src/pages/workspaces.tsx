/** The workspaces of the installation, and adding one with its first administrator. */
import { type FormEvent, useState } from 'react';
import { useFormats, useText } from '../messages/index.js';
import { useAct, useRead } from '../server/use-api.js';
import { Button, Form, Loaded, ProblemBox, Slug } from '../ui/index.js';
import css from './pages.module.css';
import { SignInLink } from './sign-in-link.js';

export function Workspaces() {
  const text = useText();
  const { showTime } = useFormats();
  const workspaces = useRead('GET /api/workspaces');
  const [slug, setSlug] = useState('');
  const [admin, setAdmin] = useState('');
  const { mutate, data, error, isPending } = useAct('POST /api/workspaces', () => setSlug(''));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ body: { slug, admin: { name: admin } } });
  };
  return (
    <section>
      <h2>{text.workspaces}</h2>
      <Loaded query={workspaces} rows={1}>
        {(list) => (
          <ul className={css.rows}>
            {list.workspaces.map((workspace) => (
              <li key={workspace.id}>
                <strong>{workspace.name}</strong>
                <Slug slug={workspace.slug} />
                <span className={css.dim}>{showTime(workspace.createdAt)}</span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <Form needs="users:write" className={css.bar} onSubmit={submit}>
        <label>
          {text.slug}
          <input required value={slug} onChange={(event) => setSlug(event.target.value)} />
        </label>
        <label>
          {text.firstAdmin}
          <input required value={admin} onChange={(event) => setAdmin(event.target.value)} />
        </label>
        <Button type="submit" needs="users:write" disabled={isPending}>
          {text.addWorkspace}
        </Button>
      </Form>
      <ProblemBox error={error} />
      {data === undefined ? undefined : <SignInLink link={data.link} />}
    </section>
  );
}
