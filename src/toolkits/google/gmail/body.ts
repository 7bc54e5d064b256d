/** Reads the text and the attachments of a message from its MIME tree. Gmail has already undone transfer encodings. */
import { z } from 'zod';
import { defined } from '../../../util/defined.js';
import { htmlToText } from '../../../util/html-text.js';
import type { GmailPart } from './api.js';
import { decodeBytes, decodeWords, readHeader, readParameter } from './headers.js';

/** Gmail gives no id to small parts whose content comes with the message. */
export const attachmentShape = z.strictObject({
  id: z.string().optional().describe('For get_gmail_attachment'),
  name: z.string(),
  type: z.string(),
  size: z.number().describe('Bytes'),
});

type Attachment = z.infer<typeof attachmentShape>;

export interface Body {
  readonly text: string;
  /** As it was sent; undefined if there is none. */
  readonly html: string | undefined;
  readonly attachments: readonly Attachment[];
}

interface Piece {
  readonly kind: 'plain' | 'html';
  readonly content: string;
}

/** Gmail gives long texts by id only, like attachments. */
type FetchData = (attachmentId: string) => Promise<string>;

export async function readBody(payload: GmailPart | undefined, fetchData: FetchData): Promise<Body> {
  const attachments: Attachment[] = [];
  const pieces = payload ? await collect(payload, fetchData, attachments, 0) : [];
  const texts = await Promise.all(choose(pieces).map((piece) => toText(piece)));
  const html = leaves(pieces).filter(({ kind }) => kind === 'html');
  return {
    text: texts.filter((text) => text !== '').join('\n\n'),
    html: html.length === 0 ? undefined : html.map(({ content }) => content).join('\n'),
    attachments,
  };
}

/** The parts of one multipart; of an `alternative` only one is shown. */
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
  const disposition = readHeader(part, 'Content-Disposition') ?? '';
  const isText = (type === 'text/plain' || type === 'text/html') && name === '' && !/^attachment/i.test(disposition);
  if (isText) {
    const data = part.body?.data ?? (part.body?.attachmentId ? await fetchData(part.body.attachmentId) : '');
    const charset = readParameter(readHeader(part, 'Content-Type'), 'charset')?.toLowerCase();
    const content = decodeBytes(Buffer.from(data, 'base64url'), charset);
    return content === '' ? [] : [{ kind: type === 'text/html' ? 'html' : 'plain', content }];
  }
  if (name !== '' || part.body?.attachmentId !== undefined) {
    const size = part.body?.size ?? 0;
    attachments.push({ ...defined({ id: part.body?.attachmentId }), name: name || nameFor(type), type, size });
  }
  return [];
}

/** Returns what a mail program that shows text would show. */
function choose(nodes: readonly Node[]): Piece[] {
  return nodes.flatMap((node) => {
    if ('kind' in node) return [node];
    if (!node.alternative) return choose(node.children);
    const plain = node.children.find((child) => leaves([child]).some(isWorthReading));
    const last = node.children.at(-1);
    return choose(plain ? [plain] : last ? [last] : []);
  });
}

/** The plain part of many newsletters is empty. */
const isWorthReading = ({ kind, content }: Piece): boolean => kind === 'plain' && content.trim() !== '';

const leaves = (nodes: readonly Node[]): Piece[] =>
  nodes.flatMap((node) => ('kind' in node ? [node] : leaves(node.children)));

async function toText({ kind, content }: Piece): Promise<string> {
  const text = kind === 'html' ? await htmlToText(content) : content;
  return text.replace(/\r\n?/g, '\n').trim();
}

const nameFor = (type: string): string =>
  type === 'message/rfc822' ? 'message.eml' : type === 'text/calendar' ? 'invite.ics' : 'unnamed';
