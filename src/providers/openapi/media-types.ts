/** Chooses among the content types of an operation, and says how its body is written. */
import { isPlainObject, objectOrEmpty } from '../../util/canonical.js';
import type { BodyKind } from './request-plan.js';

export interface MediaChoice {
  readonly kind: BodyKind;
  /** As it is sent. */
  readonly contentType: string;
  readonly media: Readonly<Record<string, unknown>>;
}

const textual =
  /^(?:text\/|message\/|application\/(?:xml|yaml|x-yaml|javascript|x-javascript|graphql|sql|x-ndjson|ndjson|json-seq|jsonl|x-jsonlines|jwt|jose|edn|x-www-form|n-triples|trig|toml|form-data)|.*\+(?:xml|yaml)$)/;

/** In the order of preference. Undefined if there is no content. */
export function chooseMedia(content: unknown): MediaChoice | undefined {
  if (!isPlainObject(content)) return undefined;
  const offered = Object.entries(content).map(([type, media]) => readMedia(type, objectOrEmpty(media)));
  const [best] = offered.sort((a, b) => rank(b) - rank(a));
  return best;
}

function readMedia(type: string, media: Record<string, unknown>): MediaChoice {
  const plain = plainType(type);
  const kind = getKind(plain, media.schema);
  const generic = plain === '' || plain.includes('*') || !/^[\x21-\x7e ]+$/.test(type);
  if (!generic) return { kind, contentType: kind === 'multipart' ? plain : type.trim(), media };
  return {
    kind,
    contentType: kind === 'json' ? 'application/json' : kind === 'text' ? 'text/plain' : 'application/octet-stream',
    media,
  };
}

export const plainType = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();

export const isJsonType = (plain: string): boolean => /^[^/]+\/(?:[^/]*\+)?json$/.test(plain);

function getKind(plain: string, schema: unknown): BodyKind {
  if (isJsonType(plain) || plain === '' || plain === '*/*' || plain === 'application/*') return 'json';
  if (plain === 'application/x-www-form-urlencoded') return 'form';
  if (plain.startsWith('multipart/')) return 'multipart';
  if (textual.test(plain)) return 'text';
  const isText =
    isPlainObject(schema) && schema.type === 'string' && schema.format !== 'binary' && schema.format !== 'byte';
  return isText && plain.startsWith('application/') && plain !== 'application/octet-stream' ? 'text' : 'binary';
}

/** A form is smaller than an equivalent multipart form, unless there are files. */
function rank({ kind, contentType, media }: MediaChoice): number {
  if (kind === 'json') return contentType === 'application/json' ? 10 : 9;
  if (kind === 'multipart') return hasFiles(media.schema) ? 8 : 6;
  return { form: 7, text: 4, binary: 2 }[kind];
}

/** Whether the schema describes a file: type `file`, format `binary`, or content of a media type without an encoding. */
export function isFile(schema: unknown): boolean {
  if (!isPlainObject(schema)) return false;
  if (schema.type === 'file' || schema.format === 'binary') return true;
  return typeof schema.contentMediaType === 'string' && schema.contentEncoding === undefined;
}

function hasFiles(schema: unknown): boolean {
  if (!isPlainObject(schema) || !isPlainObject(schema.properties)) return false;
  return Object.values(schema.properties).some((each) => isFile(each) || (isPlainObject(each) && isFile(each.items)));
}
