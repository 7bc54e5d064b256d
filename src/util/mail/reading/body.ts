/** Reads the text and the attachments of a message from its MIME tree. */
import { defined } from '../../defined.js';
import { htmlToText } from '../../html-text.js';
import { decodeBytes, decodeWords, readHeader, readParameter } from './headers.js';
import type { MailPart } from './part.js';

export interface MailAttachment {
  readonly id?: string;
  readonly name: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

export interface Body {
  readonly text: string;
  /** The text as it was sent; undefined if there is none. */
  readonly html: string | undefined;
  readonly attachments: readonly MailAttachment[];
}

interface Piece {
  readonly kind: 'plain' | 'html';
  readonly content: string;
}

/** Gmail gives long texts by id only, like attachments. */
type FetchData = (attachmentId: string) => Promise<string>;

export async function readBody(payload: MailPart | undefined, fetchData: FetchData): Promise<Body> {
  const attachments: MailAttachment[] = [];
  const pieces = payload ? await collect(payload, { fetchData, attachments }, 0) : [];
  const texts = await Promise.all(choose(pieces).map((piece) => toText(piece)));
  const html = leaves(pieces).filter(({ kind }) => kind === 'html');
  return {
    text: texts.filter((text) => text !== '').join('\n\n'),
    html: html.length === 0 ? undefined : html.map(({ content }) => content).join('\n'),
    attachments,
  };
}

/** The parts of a multipart; of an `alternative`, only one part is shown. */
interface Branch {
  readonly alternative: boolean;
  readonly children: readonly Node[];
}
type Node = Piece | Branch;

const mostDepth = 30;

interface Reading {
  readonly fetchData: FetchData;
  readonly attachments: MailAttachment[];
}

async function collect(part: MailPart, reading: Reading, depth: number): Promise<Node[]> {
  const type = (part.mimeType ?? 'text/plain').toLowerCase();
  if (type.startsWith('multipart/')) {
    if (depth > mostDepth) return [];
    const children: Node[] = [];
    for (const child of part.parts ?? []) children.push(...(await collect(child, reading, depth + 1)));
    return [{ alternative: type === 'multipart/alternative', children }];
  }
  const name = decodeWords(part.filename ?? '');
  if (name === '' && isBody(part, type)) {
    const content = await readText(part, reading.fetchData);
    return content === '' ? [] : [{ kind: type === 'text/html' ? 'html' : 'plain', content }];
  }
  const { attachmentId: id, size = 0 } = part.body ?? {};
  if (name !== '' || id !== undefined)
    reading.attachments.push({ ...defined({ id }), name: name || nameFor(type), type, size });
  return [];
}

/** Text that is not meant as an attachment. */
function isBody(part: MailPart, type: string): boolean {
  if (type !== 'text/plain' && type !== 'text/html') return false;
  return !/^attachment/i.test(readHeader(part, 'Content-Disposition') ?? '');
}

async function readText(part: MailPart, fetchData: FetchData): Promise<string> {
  const { data, attachmentId } = part.body ?? {};
  const encoded = data ?? (attachmentId ? await fetchData(attachmentId) : '');
  const charset = readParameter(readHeader(part, 'Content-Type'), 'charset')?.toLowerCase();
  return decodeBytes(Buffer.from(encoded, 'base64url'), charset);
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

/** In many newsletters, the plain part is empty. */
const isWorthReading = ({ kind, content }: Piece): boolean => kind === 'plain' && content.trim() !== '';

const leaves = (nodes: readonly Node[]): Piece[] =>
  nodes.flatMap((node) => ('kind' in node ? [node] : leaves(node.children)));

async function toText({ kind, content }: Piece): Promise<string> {
  const text = kind === 'html' ? await htmlToText(content) : content;
  return text.replace(/\r\n?/g, '\n').trim();
}

const nameFor = (type: string): string =>
  type === 'message/rfc822' ? 'message.eml' : type === 'text/calendar' ? 'invite.ics' : 'unnamed';
