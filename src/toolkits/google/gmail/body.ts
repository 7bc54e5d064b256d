/** The text of a message and what is attached to it, out of its MIME tree. Transfer encodings are already undone by Gmail. */
import { htmlToText } from '../../../util/html-text.js';
import type { GmailPart } from './api.js';
import { decodeBytes, decodeWords, headerOf, parameterOf } from './headers.js';

export interface Attachment {
  /** Undefined for small parts that Gmail sends along without one. */
  readonly id: string | undefined;
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

export interface Body {
  readonly text: string;
  /** As it was sent; undefined where there is none. */
  readonly html: string | undefined;
  readonly attachments: readonly Attachment[];
}

interface Piece {
  readonly kind: 'plain' | 'html';
  readonly content: string;
}

/** Long texts are handed over like attachments: by id. */
type FetchData = (attachmentId: string) => Promise<string>;

export async function readBody(payload: GmailPart | undefined, fetchData: FetchData): Promise<Body> {
  const attachments: Attachment[] = [];
  const pieces = payload ? await collect(payload, fetchData, attachments, 0) : [];
  const texts = await Promise.all(chosen(pieces).map((piece) => asText(piece)));
  const html = leaves(pieces).filter(({ kind }) => kind === 'html');
  return {
    text: texts.filter((text) => text !== '').join('\n\n'),
    html: html.length === 0 ? undefined : html.map(({ content }) => content).join('\n'),
    attachments,
  };
}

/** The parts of one multipart, of which an `alternative` shows only one. */
interface Branch {
  readonly alternative: boolean;
  readonly children: readonly Node[];
}
type Node = Piece | Branch;

const mostDepth = 30;

async function collect(
  part: GmailPart,
  fetchData: FetchData,
  attachments: Attachment[],
  depth: number,
): Promise<Node[]> {
  const type = (part.mimeType ?? 'text/plain').toLowerCase();
  if (type.startsWith('multipart/')) {
    if (depth > mostDepth) return [];
    const children: Node[] = [];
    for (const child of part.parts ?? []) children.push(...(await collect(child, fetchData, attachments, depth + 1)));
    return [{ alternative: type === 'multipart/alternative', children }];
  }
  const name = decodeWords(part.filename ?? '');
  const disposition = headerOf(part, 'Content-Disposition') ?? '';
  const isText = (type === 'text/plain' || type === 'text/html') && name === '' && !/^attachment/i.test(disposition);
  if (isText) {
    const data = part.body?.data ?? (part.body?.attachmentId ? await fetchData(part.body.attachmentId) : '');
    const charset = parameterOf(headerOf(part, 'Content-Type'), 'charset')?.toLowerCase();
    const content = decodeBytes(Buffer.from(data, 'base64url'), charset);
    return content === '' ? [] : [{ kind: type === 'text/html' ? 'html' : 'plain', content }];
  }
  if (name !== '' || part.body?.attachmentId !== undefined) {
    const size = part.body?.size ?? 0;
    attachments.push({ id: part.body?.attachmentId, name: name || nameless(type), type, size });
  }
  return [];
}

/** What a reader that shows text would show. */
function chosen(nodes: readonly Node[]): Piece[] {
  return nodes.flatMap((node) => {
    if ('kind' in node) return [node];
    if (!node.alternative) return chosen(node.children);
    const plain = node.children.find((child) => leaves([child]).some(isWorthReading));
    const last = node.children.at(-1);
    return chosen(plain ? [plain] : last ? [last] : []);
  });
}

/** Many newsletters come with a plain part that is empty. */
const isWorthReading = ({ kind, content }: Piece): boolean => kind === 'plain' && content.trim() !== '';

const leaves = (nodes: readonly Node[]): Piece[] =>
  nodes.flatMap((node) => ('kind' in node ? [node] : leaves(node.children)));

async function asText({ kind, content }: Piece): Promise<string> {
  const text = kind === 'html' ? await htmlToText(content) : content;
  return text.replace(/\r\n?/g, '\n').trim();
}

const nameless = (type: string): string =>
  type === 'message/rfc822' ? 'message.eml' : type === 'text/calendar' ? 'invite.ics' : 'unnamed';
