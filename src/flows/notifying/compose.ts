/**
 * A message in the form of its medium. Names of tools, agents and accounts can come from outside: in an e-mail they are plain text,
 * in Slack plain text in blocks, in a webhook JSON. No argument of a call is in any of them.
 */
import type { JsonObject } from '../../domain/json.js';
import type { NotificationKind } from '../../domain/notifications.js';
import { visibleStart } from '../../util/visible-text.js';
import type { Said } from './conditions.js';

/** Items that one message shows; the others are counted. */
const maxShown = 20;
const maxLine = 500;

const nouns: Readonly<Record<NotificationKind, readonly [string, string]>> = {
  approval: ['call waits for a decision', 'calls wait for a decision'],
  account: ['account needs to be connected again', 'accounts need to be connected again'],
  definition: ['tool was changed by its maker', 'tools were changed by their makers'],
  budget: ['budget is nearly used up', 'budgets are nearly used up'],
};

/** `Helve: 3 calls wait for a decision`. */
function composeSubject(said: readonly Said[]): string {
  const kinds = [...new Set(said.map(({ kind }) => kind))];
  const counts = kinds.map((kind) => {
    const count = said.filter((one) => one.kind === kind).length;
    return `${count} ${nouns[kind][count === 1 ? 0 : 1]}`;
  });
  return `Helve: ${counts.join(', ')}`;
}

const cut = (text: string): string => visibleStart(text, maxLine);

/** How many are not shown, and where they are. */
const rest = (said: readonly Said[]): string | undefined =>
  said.length > maxShown ? `… and ${said.length - maxShown} more` : undefined;

/** Of the tool `send_smtp_email`. */
export function composeEmail(said: readonly Said[], to: string): JsonObject {
  const items = said.slice(0, maxShown).map(({ text, link }) => [`- ${cut(text)}`, ...(link ? [`  ${link}`] : [])]);
  const more = rest(said);
  const end = 'You get this because you chose it in Helve, in Settings, Notifications.';
  const lines = [...items.flat(), ...(more === undefined ? [] : [more]), '', end];
  return { to, subject: composeSubject(said), body: lines.join('\n') };
}

/** The body of a webhook. */
export function composeWebhook(
  said: readonly Said[],
  { id, person, at }: { readonly id: string; readonly at: string; readonly person: { id: string; name: string } },
): JsonObject {
  const items = said.map(({ kind, key, text, link }) => ({ kind, key, text, ...(link === undefined ? {} : { link }) }));
  return {
    type: 'notification',
    id,
    at,
    person: { id: person.id, name: person.name },
    title: composeSubject(said),
    items,
  };
}

/** In the texts of Slack these three begin links, mentions and entities. */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Of the tool `post_message`; without its channel. */
export function composeSlack(said: readonly Said[]): { readonly text: string; readonly blocks: readonly JsonObject[] } {
  const title = composeSubject(said);
  const shown = said.slice(0, maxShown).flatMap((one) => [section(cut(one.text)), ...linkOf(one)]);
  const more = rest(said);
  const blocks = [section(title), ...shown, ...(more === undefined ? [] : [section(more)])];
  return { text: escapeSlack(title), blocks };
}

/** As plain text, in which nothing is a link, a mention or a format. */
export const section = (text: string): JsonObject => ({ type: 'section', text: plain(text) });
const plain = (text: string): JsonObject => ({ type: 'plain_text', text, emoji: false });

function linkOf({ link, key }: Said): readonly JsonObject[] {
  if (link === undefined) return [];
  const open = { type: 'button', action_id: `open ${key}`.slice(0, 255), text: plain('Open in Helve'), url: link };
  return [{ type: 'actions', elements: [open] }];
}
