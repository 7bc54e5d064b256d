/**
 * A message of Slack. Names of tools, agents and accounts can come from outside: they are plain text in blocks. With buttons it shows
 * what is decided: the exact arguments. A call that does not fit gets no buttons, because nobody should decide what they cannot see.
 */
import { z } from 'zod';
import type { ApprovalDecision } from '../../../domain/approval.js';
import type { JsonObject } from '../../../domain/json.js';
import { sha256 } from '../../../util/hash.js';
import { visibleText } from '../../../util/visible-text.js';
import { composeSubject, cut, rest } from '../compose.js';
import type { Said } from '../conditions.js';

/** Slack shows at most fifty blocks, and an item has three at most. */
const maxShown = 15;
/** Characters of the arguments of one call, and of all calls in a message, that have buttons. */
const maxArguments = 2_000;
const maxAllArguments = 10_000;

/** The value of the button that makes this decision. */
export type ButtonValue = (approvalId: string, decision: ApprovalDecision) => string;

/** Of the tool `post_message`; without its channel. */
export interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly JsonObject[];
}

/** `value`: if calls can be decided in the message. */
export function composeSlack(said: readonly Said[], value?: ButtonValue): SlackMessage {
  const title = composeSubject(said);
  const more = rest(said, maxShown);
  const items = composeItems(said.slice(0, maxShown), value);
  const blocks = [section(title), ...items, ...(more === undefined ? [] : [section(more)])];
  return { text: escapeSlack(title), blocks };
}

function composeItems(said: readonly Said[], value: ButtonValue | undefined): readonly JsonObject[] {
  let left = maxAllArguments;
  return said.flatMap((one) => {
    const { approval, text } = one;
    const open = linkOf(one);
    const plainly = [section(cut(text)), ...actions(open)];
    if (!value || !approval?.exact) return plainly;
    const shown = visibleText(JSON.stringify(approval.arguments));
    if (shown.length > Math.min(maxArguments, left)) return plainly;
    left -= shown.length;
    const decide = [
      { ...button('approve', 'Approve'), style: 'primary', value: value(approval.id, 'approved') },
      { ...button('decline', 'Decline'), style: 'danger', value: value(approval.id, 'rejected') },
    ];
    return [section(cut(text)), section(shown), ...actions([...decide, ...open])];
  });
}

/** In the texts of Slack these three begin links, mentions and entities. */
export const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const unescapeSlack = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** As plain text, in which nothing is a link, a mention or a format. */
export const section = (text: string): JsonObject => ({ type: 'section', text: plain(text) });
const plain = (text: string): JsonObject => ({ type: 'plain_text', text, emoji: false });
const button = (id: string, label: string): JsonObject => ({ type: 'button', action_id: id, text: plain(label) });
const actions = (elements: readonly JsonObject[]): readonly JsonObject[] =>
  elements.length === 0 ? [] : [{ type: 'actions', elements: [...elements] }];

const linkOf = ({ link, key }: Said): readonly JsonObject[] =>
  link === undefined ? [] : [{ ...button(`open ${key}`.slice(0, 255), 'Open in Helve'), url: link }];

/** The blocks of a message as Slack gives them back: with ids, and with members that Helve did not send. */
export const shownBlocks = z.array(z.looseObject({ type: z.string() })).max(100);
export type ShownBlocks = z.output<typeof shownBlocks>;

const shownText = z.object({ type: z.string(), text: z.string() });
const shownElement = z.looseObject({
  type: z.string(),
  text: shownText.optional(),
  value: z.string().optional(),
  url: z.string().optional(),
});
const shownBlock = z.looseObject({ text: shownText.optional(), elements: z.array(shownElement).optional() });

/** SHA-256 of everything in the blocks that a person reads or presses. */
export function hashShown(blocks: readonly JsonObject[]): string {
  return sha256(JSON.stringify(blocks.map(readBlock)));
}

function readBlock({ type, ...block }: JsonObject) {
  const read = shownBlock.safeParse(block).data;
  if (!read || !['section', 'actions'].includes(String(type))) return block;
  const { text, elements, fields, accessory } = read;
  const pressed = elements?.map((one) => [one.type, readText(one.text), one.value, one.url, one.confirm]);
  return [type, readText(text), pressed, fields, accessory];
}

/** Slack may escape the text and change its spaces. */
const readText = (text: z.output<typeof shownText> | undefined) =>
  text && [text.type, unescapeSlack(text.text).replaceAll(/\s+/g, ' ').trim()];

/** The blocks with `text` in the place of the buttons of which one has this value. */
export function withoutButtons(blocks: ShownBlocks, value: string, text: string): readonly JsonObject[] {
  return (blocks as unknown as readonly JsonObject[]).map((block) => {
    const { elements = [] } = shownBlock.safeParse(block).data ?? {};
    return elements.some((one) => one.value === value) ? section(text) : block;
  });
}
