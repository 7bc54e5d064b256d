/** Notifications: what the person is told and where, and for an administrator the channels. */
import { type FormEvent, type ReactNode, useState } from 'react';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useAct, useRead } from '../server/use-api.js';
import { Actions, Button, Code, Empty, Form, Loaded, Page, ProblemBox, Status, Table } from '../ui/index.js';
import { RemoveChannel, SlackButtons } from './notification-channel.js';
import css from './pages.module.css';
import { SettingsTabs } from './settings-tabs.js';

const kinds = ['approval', 'account', 'definition', 'budget'] as const;
type Kind = (typeof kinds)[number];
const channelKinds = ['email', 'slack', 'webhook'] as const;
type Channel = Reply<'GET /api/notification-channels'>['channels'][number];
type Choice = Reply<'GET /api/notifications'>['choices'][number];

export function Notifications(): ReactNode {
  const text = useText();
  const channels = useRead('GET /api/notification-channels');
  const choices = useRead('GET /api/notifications');
  return (
    <Page title={text.settingsTabs.notifications}>
      <SettingsTabs />
      <p className={css.dim}>{text.notifications.how}</p>
      <Loaded query={channels}>
        {(list) =>
          list.channels.length === 0 ? (
            <Empty>{text.notifications.noChannels}</Empty>
          ) : (
            <Loaded query={choices}>
              {(own) =>
                list.channels.map((channel) => (
                  <OneChannel
                    key={channel.id}
                    channel={channel}
                    choice={own.choices.find(({ channelId }) => channelId === channel.id)}
                  />
                ))
              }
            </Loaded>
          )
        }
      </Loaded>
      <Messages channels={channels.data?.channels ?? []} />
      <NewChannel />
    </Page>
  );
}

function OneChannel({ channel, choice }: { channel: Channel; choice: Choice | undefined }) {
  const text = useText();
  const [chosen, setChosen] = useState<readonly Kind[]>(choice?.kinds ?? []);
  const [member, setMember] = useState(channel.kind === 'slack' ? (choice?.address ?? '') : '');
  const choose = useAct('PUT /api/notifications/:id');
  const params = { id: channel.id };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const slackMember = channel.kind === 'slack' && member !== '' ? { slackMember: member } : {};
    choose.mutate({ params, body: { kinds: [...chosen], ...slackMember } });
  };
  const change = (kind: Kind, isOn: boolean) =>
    setChosen(isOn ? [...chosen, kind] : chosen.filter((one) => one !== kind));
  return (
    <article className={css.card} aria-label={channel.name}>
      <header>
        <h3>
          {channel.name} · {text.notifications.channelKinds[channel.kind]}
        </h3>
        {channel.problem === undefined ? undefined : <Status kind="error">{text.notifications.cannotSend}</Status>}
      </header>
      <section>
        {channel.problem === undefined ? undefined : <p lang="en">{channel.problem}</p>}
        {channel.givenUp === 0 ? undefined : <p>{text.notifications.givenUpCount(channel.givenUp)}</p>}
        <form className={css.form} onSubmit={submit}>
          <fieldset className={css.choices}>
            <legend>{text.notifications.tellMe}</legend>
            {kinds.map((kind) => (
              <label key={kind} className={css.check}>
                <input
                  type="checkbox"
                  checked={chosen.includes(kind)}
                  onChange={(event) => change(kind, event.target.checked)}
                />
                {text.notifications.kinds[kind]}
              </label>
            ))}
          </fieldset>
          {channel.kind === 'slack' ? (
            <label>
              {text.notifications.slackMember}
              <input value={member} placeholder="U0123ABC" onChange={(event) => setMember(event.target.value)} />
            </label>
          ) : undefined}
          <Actions>
            <Button type="submit" disabled={choose.isPending}>
              {text.save}
            </Button>
            <RemoveChannel channel={channel} />
          </Actions>
        </form>
        <ProblemBox error={choose.error} />
        {choose.data === undefined ? undefined : <p role="status">{text.saved}</p>}
        {choice !== undefined && !choice.confirmed && choice.address !== undefined ? (
          <EnterCode id={channel.id} address={choice.address} />
        ) : undefined}
        {channel.kind === 'slack' ? <SlackButtons channel={channel} /> : undefined}
      </section>
    </article>
  );
}

function EnterCode({ id, address }: { id: string; address: string }) {
  const text = useText();
  const [code, setCode] = useState('');
  const { mutate, error, isPending } = useAct('POST /api/notifications/:id/code');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ params: { id }, body: { code } });
  };
  return (
    <form className={css.bar} onSubmit={submit}>
      <label>
        {text.notifications.slackCode(address)}
        <input required inputMode="numeric" value={code} onChange={(event) => setCode(event.target.value)} />
      </label>
      <Button type="submit" disabled={isPending}>
        {text.notifications.confirm}
      </Button>
      <ProblemBox error={error} />
    </form>
  );
}

function Messages({ channels }: { channels: readonly Channel[] }) {
  const text = useText();
  const { showTime } = useFormats();
  const messages = useRead('GET /api/notification-messages');
  return (
    <section>
      <h2>{text.notifications.ownMessages}</h2>
      <Loaded query={messages} rows={1}>
        {(list) =>
          list.messages.length === 0 ? (
            <Empty>{text.notifications.noMessages}</Empty>
          ) : (
            <Table
              label={text.notifications.ownMessages}
              head={[text.addedOn, text.notifications.channel, text.kind, text.notifications.state]}
              rows={list.messages.map((one) => ({
                key: one.id,
                cells: [
                  showTime(one.createdAt),
                  channels.find(({ id }) => id === one.channelId)?.name ?? one.channelId,
                  one.kinds.map((kind) => text.notifications.kinds[kind]).join(', '),
                  <span key="state">
                    {text.notifications.messageStates[one.state]}
                    {one.error === undefined ? undefined : <small lang="en"> {one.error}</small>}
                  </span>,
                ],
              }))}
            />
          )
        }
      </Loaded>
    </section>
  );
}

function NewChannel() {
  const text = useText();
  const [kind, setKind] = useState<(typeof channelKinds)[number]>('email');
  const [name, setName] = useState('');
  const [place, setPlace] = useState('');
  const { mutate, data, error, isPending } = useAct('POST /api/notification-channels');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ body: { kind, name, ...(kind === 'webhook' ? { url: place } : { connection: place }) } });
  };
  return (
    <section>
      <h2>{text.notifications.newChannel}</h2>
      <Form needs="users:write" className={css.form} onSubmit={submit}>
        <label>
          {text.kind}
          <select value={kind} onChange={(event) => setKind(event.target.value as typeof kind)}>
            {channelKinds.map((each) => (
              <option key={each} value={each}>
                {text.notifications.channelKinds[each]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {text.name}
          <input required value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        <label>
          {kind === 'webhook' ? text.notifications.webhookAddress : text.notifications.sendingAccount}
          <input required value={place} onChange={(event) => setPlace(event.target.value)} />
        </label>
        <Actions>
          <Button type="submit" needs="users:write" disabled={isPending}>
            {text.add}
          </Button>
        </Actions>
      </Form>
      <ProblemBox error={error} />
      {data?.secret === undefined ? undefined : (
        <div role="status">
          <p>{text.tokenOnce}</p>
          <Code label={text.notifications.newChannel} text={data.secret} />
        </div>
      )}
    </section>
  );
}
