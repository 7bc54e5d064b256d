/** Settings: whether everything is in order, what is set and where, the sign-ins at providers, the keys of the vault, and the way to the other settings. */
import { type ReactNode, useState } from 'react';
import { useText } from '../messages/index.js';
import { useAct, useRead } from '../server/use-api.js';
import { useSession } from '../shell/session.js';
import { Actions, Button, Dialog, Empty, Loaded, Page, ProblemBox, Status, Table } from '../ui/index.js';
import { EffectiveSettings, Health } from './health.js';
import css from './pages.module.css';
import { SettingsTabs } from './settings-tabs.js';
import { StoreSizes } from './store-sizes.js';

export function Settings(): ReactNode {
  const text = useText();
  return (
    <Page title={text.nav.settings}>
      <SettingsTabs />
      <Health />
      <StoreSizes />
      <Providers />
      <Vault />
      <EffectiveSettings />
    </Page>
  );
}

function Providers() {
  const text = useText();
  const checks = useRead('GET /api/auth-checks');
  return (
    <section>
      <h2>{text.oauthClients}</h2>
      <Loaded query={checks}>
        {(data) =>
          data.checks.length === 0 ? (
            <Empty>{text.noProviders}</Empty>
          ) : (
            <Table
              label={text.oauthClients}
              head={[text.provider, text.client, text.redirect, text.why]}
              rows={data.checks.map(({ provider, client, redirectUri, problems }) => ({
                key: provider,
                cells: [
                  provider,
                  <Status key="client" kind={client === 'none' ? 'pending' : 'active'}>
                    {text.clients[client]}
                  </Status>,
                  <code key="redirect">{redirectUri}</code>,
                  <span key="problems" lang="en">
                    {problems.join(' ')}
                  </span>,
                ],
              }))}
            />
          )
        }
      </Loaded>
      <ClientForm />
    </section>
  );
}

function ClientForm() {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const [provider, setProvider] = useState('');
  const [clientId, setClientId] = useState('');
  const { mutate, error, isPending } = useAct('PUT /api/auth-clients/:provider', () => setOpen(false));
  // Everybody's accounts sign in through it.
  const blocked = useSession()?.user.role === 'member' ? text.onlyOwn : undefined;
  return (
    <>
      <Actions>
        <Button needs="connections:write" blocked={blocked} onClick={() => setOpen(true)}>
          {text.setClient}
        </Button>
      </Actions>
      <Dialog title={text.setClient} isOpen={isOpen} onClose={() => setOpen(false)}>
        <form
          className={css.form}
          autoComplete="off"
          onSubmit={(event) => {
            event.preventDefault();
            // React would write a value that it controls into the page.
            const clientSecret = String(new FormData(event.currentTarget).get('secret') ?? '');
            mutate({ params: { provider }, body: { clientId, ...(clientSecret === '' ? {} : { clientSecret }) } });
          }}
        >
          <label>
            {text.provider}
            <input required value={provider} onChange={(event) => setProvider(event.target.value)} />
          </label>
          <label>
            {text.clientId}
            <input required value={clientId} onChange={(event) => setClientId(event.target.value)} />
          </label>
          <label>
            {text.clientSecret}
            <input type="password" autoComplete="off" name="secret" />
          </label>
          <ProblemBox error={error} />
          <Actions>
            <button type="submit" className="primary" disabled={isPending}>
              {text.save}
            </button>
            <button type="button" onClick={() => setOpen(false)}>
              {text.cancel}
            </button>
          </Actions>
        </form>
      </Dialog>
    </>
  );
}

function Vault() {
  const text = useText();
  const { mutate, data, error, isPending } = useAct('POST /api/vault/rotate');
  return (
    <section>
      <h2>{text.vault}</h2>
      <p className={css.measure}>{text.vaultHow}</p>
      <Actions>
        <Button needs="keys:write" disabled={isPending} onClick={() => mutate({})}>
          {text.rotate}
        </Button>
      </Actions>
      <ProblemBox error={error} />
      {data === undefined ? undefined : <p role="status">{text.rotated(data.resealed, data.unreadable)}</p>}
    </section>
  );
}
