/** Tokens, keys and links that open Helve: when they were made, and revoking them. */
import { type FormEvent, type ReactNode, useState } from 'react';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useAct, useRead } from '../server/use-api.js';
import { type Permission, useSession } from '../shell/session.js';
import { Actions, Button, CopyCode, Form, Loaded, MayNote, Page, ProblemBox, Status, Table } from '../ui/index.js';
import { AskingButton } from './ask.js';
import css from './pages.module.css';
import { SettingsTabs } from './settings-tabs.js';

const roles = ['admin', 'auditor', 'member'] as const;
type Credential = Reply<'GET /api/credentials'>['credentials'][number];

export function Credentials(): ReactNode {
  const text = useText();
  const credentials = useRead('GET /api/credentials');
  return (
    <Page title={text.settingsTabs.credentials}>
      <SettingsTabs />
      <MayNote needs="keys:write" />
      <Loaded query={credentials}>{(data) => <CredentialTable credentials={data.credentials} />}</Loaded>
      <NewKey />
    </Page>
  );
}

function CredentialTable({ credentials }: { credentials: readonly Credential[] }) {
  const text = useText();
  const { showTime } = useFormats();
  const open = credentials.filter(({ revokedAt }) => revokedAt === undefined);
  return (
    <Table
      label={text.settingsTabs.credentials}
      head={[text.name, text.kind, text.begins, text.addedOn, text.expiry, text.change]}
      rows={open.map((credential) => ({
        key: credential.id,
        cells: [
          credential.name,
          text.credentialKinds[credential.kind],
          <code key="prefix">{credential.prefix}…</code>,
          showTime(credential.createdAt),
          credential.expiresAt === undefined ? (
            text.neverExpires
          ) : Date.parse(credential.expiresAt) < Date.now() ? (
            <Status key="expired" kind="expired">
              {text.connectionStatuses.expired}
            </Status>
          ) : (
            showTime(credential.expiresAt)
          ),
          <RevokeCredential key="revoke" id={credential.id} name={credential.name} />,
        ],
      }))}
    />
  );
}

export function RevokeCredential({ id, name }: { id: string; name: string }) {
  const text = useText();
  const revoke = useAct('DELETE /api/credentials/:id');
  return (
    <AskingButton
      needs="keys:write"
      name={name}
      title={text.revokeAsk(name)}
      verb={text.revoke}
      act={revoke}
      onYes={() => revoke.mutate({ params: { id } })}
    >
      {text.revokeHow}
    </AskingButton>
  );
}

function NewKey() {
  const text = useText();
  const own = useSession()?.permissions ?? [];
  const [name, setName] = useState('');
  const [role, setRole] = useState<(typeof roles)[number] | ''>('');
  const [chosen, setChosen] = useState<readonly Permission[]>([]);
  const { mutate, data, error, isPending } = useAct('POST /api/keys');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ body: { name, ...(role === '' ? { permissions: [...chosen] } : { role }) } });
  };
  const choose = (permission: Permission, isOn: boolean) =>
    setChosen(isOn ? [...chosen, permission] : chosen.filter((each) => each !== permission));
  return (
    <section>
      <h2>{text.newKey}</h2>
      <Form needs="keys:write" className={css.form} onSubmit={submit}>
        <label>
          {text.name}
          <input required value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        <label>
          {text.role}
          <select value={role} onChange={(event) => setRole(event.target.value as typeof role)}>
            <option value="">{text.singlePermissions}</option>
            {roles.map((each) => (
              <option key={each} value={each}>
                {text.roles[each]}: {text.rolesHow[each]}
              </option>
            ))}
          </select>
        </label>
        <fieldset className={css.choices} hidden={role !== ''}>
          <legend>{text.permissionsTitle}</legend>
          {own.map((permission) => (
            <label key={permission} className={css.check}>
              <input
                type="checkbox"
                checked={chosen.includes(permission)}
                onChange={(event) => choose(permission, event.target.checked)}
              />
              {text.permissions[permission]} <code>{permission}</code>
            </label>
          ))}
        </fieldset>
        <Actions>
          <Button type="submit" needs="keys:write" disabled={isPending || (role === '' && chosen.length === 0)}>
            {text.add}
          </Button>
        </Actions>
      </Form>
      <ProblemBox error={error} />
      {data === undefined ? undefined : (
        <div role="status">
          <p>{text.tokenOnce}</p>
          <CopyCode label={text.newKey} text={data.secret} />
        </div>
      )}
    </section>
  );
}
