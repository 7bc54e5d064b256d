/** Labels: Gmail knows them by id, people by name. Tools accept both and answer with names. */
import { HelveError } from '../../../domain/errors.js';
import type { ServiceClient } from '../../../domain/service.js';
import { didYouMean, nearest } from '../../../util/nearest.js';
import { type GmailMessage, mailbox } from './api.js';

export interface GmailLabel {
  readonly id: string;
  readonly name: string;
  readonly type?: string;
}

/** By id. */
export type LabelNames = ReadonlyMap<string, string>;

/** Gmail's own labels: in every mailbox their ids are their names. */
const systemLabels: ReadonlySet<string> = new Set([
  'INBOX', 'SENT', 'DRAFT', 'SPAM', 'TRASH', 'UNREAD', 'STARRED', 'IMPORTANT', 'CHAT',
  'CATEGORY_PERSONAL', 'CATEGORY_SOCIAL', 'CATEGORY_PROMOTIONS', 'CATEGORY_UPDATES', 'CATEGORY_FORUMS',
]); // biome-ignore format: a list

export async function fetchLabels(service: ServiceClient): Promise<readonly GmailLabel[]> {
  const { labels = [] } = await service.json<{ labels?: GmailLabel[] }>({ path: `${mailbox}/labels` });
  return labels;
}

/**
 * Fetches the names of the labels of `messages` if any of them has a name of its own. If that fails, the ids are used.
 */
export async function fetchLabelNames(service: ServiceClient, messages: readonly GmailMessage[]): Promise<LabelNames> {
  const isNamed = messages.every(({ labelIds = [] }) => labelIds.every((id) => systemLabels.has(id)));
  if (isNamed) return new Map();
  try {
    return new Map((await fetchLabels(service)).map(({ id, name }) => [id, name]));
  } catch (thrown) {
    if (thrown instanceof HelveError && thrown.code !== 'cancelled') return new Map();
    throw thrown;
  }
}

/** Returns the names of all labels of `messages`, each once. */
export const nameLabels = (messages: readonly GmailMessage[], names: LabelNames): string[] =>
  [...new Set(messages.flatMap(({ labelIds = [] }) => labelIds))].map((id) => names.get(id) ?? id);

/** Finds the ids of labels given by id or by name, in upper or lower case. An unknown one is an error that names the nearest. */
export async function findLabelIds(service: ServiceClient, given: readonly string[], field: string): Promise<string[]> {
  const upper = given.map((text) => text.trim().toUpperCase());
  if (upper.every((name) => systemLabels.has(name))) return [...new Set(upper)];
  const labels = await fetchLabels(service);
  const ids = given.map((text, index) => {
    const name = text.trim();
    if (systemLabels.has(name.toUpperCase())) return name.toUpperCase();
    const found =
      labels.find(({ id }) => id === name) ??
      labels.find((label) => label.name === name) ??
      labels.find((label) => label.name.toLowerCase() === name.toLowerCase());
    if (found) return found.id;
    throw unknownLabel(`${field}[${index}]`, name, labels);
  });
  return [...new Set(ids)];
}

const mostNamed = 30;

function unknownLabel(place: string, name: string, labels: readonly GmailLabel[]): HelveError {
  const own = labels.filter(({ type }) => type !== 'system').map((label) => label.name);
  const near = nearest(
    name,
    labels.map((label) => label.name),
  );
  const others = own.filter((one) => one !== near).slice(0, mostNamed);
  return new HelveError('invalid_input', `${place}: there is no label ${JSON.stringify(name)}`, {
    hint: [
      near === undefined ? '' : `${didYouMean(JSON.stringify(near))} `,
      own.length === 0 ? 'This mailbox has no labels that people made.' : `There are ${JSON.stringify(others)}`,
      own.length > mostNamed ? ' and more: list_labels.' : '',
    ].join(''),
  });
}
