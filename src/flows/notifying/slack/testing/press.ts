/** For tests: what Slack sends when a member presses a button of a message, as its documents describe it. */
import { createHmac } from 'node:crypto';
import type { WebhookDelivery } from '../../../../domain/task-source.js';

/** A message as Helve posted it: the form of `chat.postMessage`. */
export interface Posted {
  readonly channel: string;
  readonly blocks: string;
}

interface Element {
  readonly action_id?: string;
  readonly value?: string;
}

export interface Block {
  readonly type: string;
  readonly elements?: readonly Element[];
  readonly [member: string]: unknown;
}

export const blocksOf = ({ blocks }: Posted): Block[] => JSON.parse(blocks) as Block[];

/** The values of the buttons that decide this way, in their order. */
export const valuesOf = (blocks: readonly Block[], action: 'approve' | 'decline'): string[] =>
  blocks.flatMap(({ elements = [] }) =>
    elements.flatMap(({ action_id, value }) => (action_id === action && value !== undefined ? [value] : [])),
  );

export interface PressFacts {
  readonly value: string;
  readonly user: string;
  readonly team: string;
  readonly channel: string;
  readonly ts: string;
  readonly blocks: readonly Block[];
  readonly responseUrl: string;
  readonly attachments?: readonly unknown[];
}

/** The body. Slack gives each block an id, and escapes texts. */
export function bodyOf({ value, user, team, channel, ts, blocks, responseUrl, attachments }: PressFacts): string {
  const shown = blocks.map((block, index) => ({ ...block, block_id: `b${index}` }));
  const payload = {
    type: 'block_actions',
    user: { id: user, username: 'ada', team_id: team },
    api_app_id: 'A1',
    container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false },
    trigger_id: '1.2.3',
    team: { id: team, domain: 'corp' },
    channel: { id: channel, name: 'directmessage' },
    message: { type: 'message', user: 'UBOT', ts, text: 'Helve', blocks: shown, ...(attachments && { attachments }) },
    response_url: responseUrl,
    actions: [{ type: 'button', action_id: 'approve', block_id: 'b1', value, action_ts: ts }],
  };
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
}

/** `seconds`: when Slack signed it. */
export function signedBy(secret: string, body: string, seconds: number): WebhookDelivery {
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex')}`;
  const headers = new Headers({
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': String(seconds),
    'x-slack-signature': signature,
  });
  return { body: Buffer.from(body), headers };
}
