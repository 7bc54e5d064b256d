/**
 * Reads a response body: decompressed, counted while it is inflated, and stopped early if it is too large.
 *
 * Counting happens at every stage, because a bomb can also be between two codings, or inflate to nothing and only use
 * up time.
 */
import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { HelveError } from '../../domain/errors.js';
import { decodeCharset, isUtf8 } from '../../util/decode-charset.js';

export interface BodyLimits {
  readonly maxBytes: number;
  readonly truncate: boolean;
}

export interface ReadBody {
  readonly body: Uint8Array;
  readonly truncated: boolean;
}

type Chunks = AsyncIterable<Uint8Array>;

/** How much larger compressed data may be than its content. */
const slack = 65_536;
const maxCodings = 2;

/** Creates a decoder; the first byte distinguishes zlib's deflate from the raw one, both of which servers send. */
const decoders = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  deflate: (first: number) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw()),
} satisfies Record<string, (first: number) => Transform>;

type Coding = keyof typeof decoders;

const isKnown = (name: string): name is Coding => Object.hasOwn(decoders, name);

export const acceptEncoding = 'gzip, deflate, br';

/** The codings to undo, last applied first. Empty if there are none, or an unknown one: then the bytes stay as sent. */
export function readCodings(contentEncoding: string | undefined): readonly Coding[] {
  const names = (contentEncoding ?? '').split(',').map((name) => name.trim().toLowerCase());
  const codings = names.filter((name) => name !== '' && name !== 'identity').reverse();
  if (codings.length > maxCodings) {
    throw new HelveError(
      'upstream_failed',
      `The response has ${codings.length} content-encodings; ${maxCodings} are allowed`,
    );
  }
  return codings.every(isKnown) ? codings : [];
}

/** Reads and decompresses a body. Throws `too_large` over the limit, unless the limits allow it to be truncated. */
export async function readBody(source: Readable, codings: readonly Coding[], limits: BodyLimits): Promise<ReadBody> {
  const parts: Uint8Array[] = [];
  try {
    let chunks: Chunks = source;
    for (const coding of codings) chunks = decoded(coding, capped(chunks, limits.maxBytes + slack, limits));
    const whole = await collect(chunks, parts, limits);
    return { body: Buffer.concat(parts), truncated: !whole };
  } catch (thrown) {
    if (thrown instanceof CodedBodyTooLarge && limits.truncate) return { body: Buffer.concat(parts), truncated: true };
    throw thrown instanceof CodedBodyTooLarge ? tooLarge(limits) : thrown;
  } finally {
    source.destroy();
  }
}

export const tooLarge = (limits: BodyLimits): HelveError =>
  new HelveError('too_large', `The response body is larger than ${limits.maxBytes} bytes`, {
    hint: 'Ask for less, or have the operator raise the limit of this tool.',
  });

class CodedBodyTooLarge extends Error {}

async function collect(chunks: Chunks, parts: Uint8Array[], limits: BodyLimits): Promise<boolean> {
  let size = 0;
  for await (const chunk of chunks) {
    const room = limits.maxBytes - size;
    if (chunk.length > room) {
      if (!limits.truncate) throw tooLarge(limits);
      parts.push(chunk.subarray(0, room));
      return false;
    }
    parts.push(chunk);
    size += chunk.length;
  }
  return true;
}

async function* capped(chunks: Chunks, most: number, limits: BodyLimits): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > most) throw new CodedBodyTooLarge(`more than ${limits.maxBytes} coded bytes`);
    yield chunk;
  }
}

/** An empty body is empty in every coding. */
async function* decoded(coding: Coding, chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head = await chunks.next();
  while (head.done !== true && head.value.length === 0) head = await chunks.next();
  if (head.done === true) return;
  const decoder: Transform = decoders[coding](head.value[0] ?? 0);
  // pipeline, and not pipe: an error on either side destroys both and reaches the reader.
  pipeline(Readable.from(rejoined(head.value, chunks)), decoder, () => undefined);
  yield* decoder;
}

async function* rejoined(head: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  yield* rest;
}

/**
 * Decodes bytes in the charset of a content-type. Where that names none, in the one that a page or an XML document names
 * itself, or else as browsers do: in UTF-8 if the bytes are valid UTF-8, in windows-1252 if not.
 * JSON is always UTF-8 (RFC 8259): one wrong byte must not change all other letters.
 */
export function decodeText({ body, truncated }: ReadBody, contentType: string | undefined): string {
  const named = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1] ?? charsetInside(body, contentType);
  const text = named === undefined ? undefined : decodeCharset(body, named);
  return (
    text ??
    (isAlwaysUtf8(contentType) || isUtf8(body, truncated) ? undefined : decodeCharset(body, 'windows-1252')) ??
    new TextDecoder().decode(body)
  );
}

const isAlwaysUtf8 = (contentType = ''): boolean => /json/i.test(contentType);

const charsetLength = 1_024;

function charsetInside(body: Uint8Array, contentType = ''): string | undefined {
  if (!/html|xml/i.test(contentType)) return undefined;
  const beginning = Buffer.from(body.subarray(0, charsetLength)).toString('latin1');
  const [, charset] =
    /<meta\s[^>]*charset\s*=\s*["']?\s*([\w-]+)/i.exec(beginning) ??
    /^<\?xml\s[^>]*encoding\s*=\s*["']([\w-]+)/.exec(beginning) ??
    [];
  // This could not be read here if it were true.
  return charset && /^utf-?16/i.test(charset) ? undefined : charset;
}
