/**
 * A message in the form of its medium; that of Slack is in slack/message.ts. Names of tools, agents and accounts can come from
 * outside: in an e-mail they are plain text, in a webhook JSON. No argument of a call is in either.
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
export function composeSubject(said: readonly Said[]): string {
  const kinds = [...new Set(said.map(({ kind }) => kind))];
  const counts = kinds.map((kind) => {
    const count = said.filter((one) => one.kind === kind).length;
    return `${count} ${nouns[kind][count === 1 ? 0 : 1]}`;
  });
  return `Helve: ${counts.join(', ')}`;
}

export const cut = (text: string): string => visibleStart(text, maxLine);

/** How many are not shown, and where they are. */
export const rest = (said: readonly Said[], shown = maxShown): string | undefined =>
  said.length > shown ? `… and ${said.length - shown} more` : undefined;

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
