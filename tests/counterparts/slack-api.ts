/**
 * For tests of what surrounds the buttons: as much of Slack's Web API as a channel needs. That Helve's requests are those of Slack is
 * tested with prism.
 */

import type { Plane } from '../../src/domain/plane.js';
import type { Principal } from '../../src/domain/principal.js';
import { type Block, blocksOf, type Posted } from '../../src/flows/notifying/slack/testing/press.js';
import { type Scripted, sendJson, startScripted } from './scripted.js';

export const slackTeam = 'T0TEAM';
export const conversation = 'D0DIRECT';
export const postedAt = '1700000000.000100';

const answers: Readonly<Record<string, object>> = {
  '/auth.test': {
    ok: true,
    user_id: 'U0BOT',
    user: 'helve',
    team_id: slackTeam,
    team: 'Corp',
    url: 'https://corp.slack.com/',
  },
  '/conversations.open': { ok: true, channel: { id: conversation } },
  '/chat.postMessage': { ok: true, channel: conversation, ts: postedAt, message: { type: 'message', ts: postedAt } },
  '/conversations.history': { ok: true, messages: [], has_more: false },
};

export async function startSlackApi(): Promise<Scripted> {
  const server = await startScripted();
  server.answer = ({ url }, response) => {
    const [path = ''] = url.split('?');
    sendJson(response, 200, answers[path] ?? { ok: true });
  };
  return server;
}

const postsOf = (server: Scripted): Posted[] =>
  server.seen
    .filter(({ url }) => url.startsWith('/chat.postMessage'))
    .map(({ body }) => Object.fromEntries(new URLSearchParams(body)) as unknown as Posted);

/** The blocks of the newest message. */
export function lastBlocks(server: Scripted): readonly Block[] {
  const last = postsOf(server).at(-1);
  if (!last) throw new Error('Nothing was posted');
  return blocksOf(last);
}

export interface NewLink {
  readonly channelId: string;
  readonly member: string;
}

/** Links the person to the member of Slack, who is told about calls from then on. */
export async function linkMember(
  plane: Plane,
  server: Scripted,
  { person, channelId, member }: NewLink & { readonly person: Principal },
): Promise<void> {
  await plane.chooseNotifications(person, channelId, { kinds: ['approval'], slackMember: member });
  const code = /\d{4} \d{4}/.exec(JSON.stringify(lastBlocks(server)))?.[0] ?? '';
  await plane.confirmNotifications(person, channelId, code);
}
