/** What an administrator does with a channel: set up or remove the buttons of Slack, and remove the channel. */
import type { FormEvent, ReactNode } from 'react';
import { useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useAct } from '../server/use-api.js';
import { Button, Code, Form, ProblemBox } from '../ui/index.js';
import { AskingButton } from './ask.js';
import css from './pages.module.css';

type Channel = Reply<'GET /api/notification-channels'>['channels'][number];

/** Lets people decide calls in the messages of a channel of Slack. */
export function SlackButtons({ channel }: { channel: Channel }): ReactNode {
  const text = useText();
  const { mutate, error, isPending } = useAct('PATCH /api/notification-channels/:id');
  const params = { id: channel.id };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // React would write a value that it controls into the page.
    const signingSecret = String(new FormData(event.currentTarget).get('secret') ?? '');
    event.currentTarget.reset();
    mutate({ params, body: { signingSecret } });
  };
  const address = `${window.location.origin}/api/webhooks/slack`;
  return (
    <>
      <p className={css.dim}>{channel.buttons ? text.notifications.buttonsOn : text.notifications.buttonsOff}</p>
      <p className={css.dim}>{text.notifications.buttonsAddress}</p>
      <Code label={text.notifications.buttonsAddress} text={address} />
      <Form needs="users:write" className={css.bar} autoComplete="off" onSubmit={submit}>
        <label>
          {text.notifications.signingSecret}
          <input required type="password" autoComplete="off" name="secret" />
        </label>
        <Button type="submit" needs="users:write" disabled={isPending}>
          {text.save}
        </Button>
        {channel.buttons ? (
          <Button needs="users:write" onClick={() => mutate({ params, body: { signingSecret: null } })}>
            {text.notifications.stopButtons}
          </Button>
        ) : undefined}
      </Form>
      <ProblemBox error={error} />
    </>
  );
}

/** Asks back, because what people chose goes with the channel. */
export function RemoveChannel({ channel: { id, name } }: { channel: Channel }): ReactNode {
  const text = useText();
  const remove = useAct('DELETE /api/notification-channels/:id');
  return (
    <AskingButton
      needs="users:write"
      name={name}
      title={text.removeAsk(name)}
      verb={text.remove}
      act={remove}
      onYes={() => remove.mutate({ params: { id } })}
    >
      {text.notifications.removeTakes}
    </AskingButton>
  );
}
