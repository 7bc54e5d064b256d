/** One account: its state, its name, who sees it, who uses it, signing in again, and ending it. */
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useAct, useRead } from '../server/use-api.js';
import {
  Actions,
  Button,
  Dialog,
  Facts,
  Form,
  Loaded,
  MayLink,
  MayNote,
  Page,
  ProblemBox,
  Slug,
  Status,
} from '../ui/index.js';
import { useAppTitle } from './app-title.js';
import { CheckAccount } from './check-account.js';
import { Usage } from './connection-usage.js';
import css from './pages.module.css';
import { VisibilityField } from './visibility-field.js';

const route = getRouteApi('/connections/$id');
type Account = Reply<'GET /api/connections/:connection'>;

export function Connection(): ReactNode {
  const text = useText();
  const { id } = route.useParams();
  const connection = useRead('GET /api/connections/:connection', { params: { connection: id } });
  return (
    <Page title={connection.data?.name ?? text.connection} back="/connections">
      <Loaded query={connection}>{(data) => <AccountFacts account={data} />}</Loaded>
    </Page>
  );
}

function AccountFacts({ account }: { account: Account }) {
  const text = useText();
  const { showTime } = useFormats();
  const people = useRead('GET /api/users').data?.users;
  const [isEnding, setEnding] = useState(false);
  const { id, slug, status, toolkit, scopes } = account;
  const known = account.account;
  const title = useAppTitle(toolkit);
  return (
    <>
      <p className={css.lead}>
        <Status kind={status}>{text.connectionStatuses[status]}</Status>
        <Slug slug={slug} />
        {account.reason === undefined || status === 'active' ? undefined : <span lang="en">{account.reason}</span>}
      </p>
      <Facts
        rows={[
          [text.app, title],
          [text.account, known?.email ?? known?.name ?? known?.id],
          [text.owner, people?.find((person) => person.id === account.ownerId)?.name],
          [text.addedOn, showTime(account.createdAt)],
          [text.connectedOn, account.connectedAt === undefined ? undefined : showTime(account.connectedAt)],
          [text.scopes, scopes?.join(' ')],
        ]}
      />
      <Actions>
        <MayLink needs="connections:write">
          <Link to="/connections/connect/$toolkit" params={{ toolkit }} search={{ connection: id }} className="button">
            {text.reconnect}
          </Link>
        </MayLink>
        <Link to="/calls" search={{ connection: id }} className="button">
          {text.itsCalls}
        </Link>
        <Button needs="connections:write" onClick={() => setEnding(true)}>
          {text.end}
        </Button>
      </Actions>
      <CheckAccount key={`check ${id}`} account={account} />
      <Details key={id} account={account} />
      <Usage account={account} />
      <End account={account} isOpen={isEnding} onClose={() => setEnding(false)} />
    </>
  );
}

function Details({ account }: { account: Account }) {
  const text = useText();
  // Only what was changed here is kept and sent, so that it does not undo what somebody else has changed meanwhile.
  const [own, setOwn] = useState<Partial<Pick<Account, 'name' | 'visibility'>>>({});
  const { name, visibility } = { ...account, ...own };
  const { mutate, error, isPending, isSuccess } = useAct('PUT /api/connections/:connection', (_saved, { body }) =>
    setOwn((now) => Object.fromEntries(Object.entries(now).filter(([key, value]) => body[key as 'name'] !== value))),
  );
  const isChanged = name !== account.name || visibility !== account.visibility;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({
      params: { connection: account.id },
      body: {
        ...(name === account.name ? {} : { name }),
        ...(visibility === account.visibility ? {} : { visibility }),
      },
    });
  };
  return (
    <section>
      <h2>{text.nameAndSight}</h2>
      <MayNote needs="connections:write" />
      <Form needs="connections:write" className={css.form} onSubmit={submit}>
        <label>
          {text.name}
          <input required value={name} onChange={(event) => setOwn({ ...own, name: event.target.value })} />
          <span>{text.slugFollows(account.slug)}</span>
        </label>
        <VisibilityField value={visibility} onChange={(chosen) => setOwn({ ...own, visibility: chosen })} />
        <ProblemBox error={error} />
        <Actions>
          <Button type="submit" needs="connections:write" disabled={isPending || !isChanged}>
            {text.save}
          </Button>
        </Actions>
        {isSuccess && !isChanged ? <p role="status">{text.saved}</p> : undefined}
      </Form>
    </section>
  );
}

interface EndProps {
  readonly account: Account;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function End({ account, isOpen, onClose }: EndProps) {
  const text = useText();
  const navigate = useNavigate();
  const [removes, setRemoves] = useState(false);
  const { mutate, error, isPending } = useAct('POST /api/tools/disconnect', () =>
    removes ? navigate({ to: '/connections' }) : onClose(),
  );
  return (
    <Dialog title={text.endAsk(account.name)} isOpen={isOpen} onClose={onClose}>
      <p>{text.endHow}</p>
      <Usage account={account} isShort />
      <label className={css.check}>
        <input type="checkbox" checked={removes} onChange={(event) => setRemoves(event.target.checked)} />
        {text.endRemoves}
      </label>
      <ProblemBox error={error} />
      <Actions>
        <button type="button" onClick={onClose}>
          {text.cancel}
        </button>
        <button
          type="button"
          disabled={isPending}
          onClick={() => mutate({ body: { connection: account.id, ...(removes ? { remove: true } : {}) } })}
        >
          {removes ? text.endAndRemove : text.end}
        </button>
      </Actions>
    </Dialog>
  );
}
