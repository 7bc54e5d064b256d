/** The body of an operation: its content type, its schema, and whether its members can be merged with the parameters. */
import { isPlainObject, objectOrEmpty } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import type { DocumentView } from './document-view.js';
import { chooseMedia, isFile } from './media-types.js';
import { resolved } from './references.js';
import type { BodyPlan, FieldPlan, Style } from './request-plan.js';

export interface RequestBody {
  readonly plan: Omit<BodyPlan, 'spread'>;
  readonly schema: unknown;
  readonly description: unknown;
  /** Whether it is an object with only named members. */
  readonly spreadable: boolean;
}

/** Returns the body that a request sends; undefined if there is none, or no usable content type. */
export function readBody(view: DocumentView, raw: unknown): RequestBody | undefined {
  if (raw === undefined) return undefined;
  const body = resolved(view, raw);
  const choice = chooseMedia(body?.content);
  if (!body || !choice) return undefined;
  const { kind, contentType, media } = choice;
  const required = body.required === true;
  const { description } = body;
  if (kind === 'text' || kind === 'binary') {
    const said =
      kind === 'text' ? `The body as text in ${contentType}` : `The bytes of the body, ${contentType}, in base64`;
    const schema = { type: 'string', description: said };
    return { plan: { kind, contentType, required }, schema, description, spreadable: false };
  }
  const whole = resolved(view, media.schema) ?? {};
  const spreadable = isSpreadable(whole, required);
  if (kind === 'json') {
    const schema = spreadable ? whole : media.schema;
    return { plan: { kind, contentType, required }, schema, description, spreadable };
  }
  const fields = getFields(view, whole, media.encoding);
  const schema = withFiles(view, whole, fields);
  return { plan: { kind, contentType, required, fields }, schema, description, spreadable };
}

const plainMembers = new Set([
  'type',
  'properties',
  'required',
  'title',
  'description',
  'additionalProperties',
  'example',
  'examples',
  'xml',
  'externalDocs',
  'format',
  'default',
  'deprecated',
  'discriminator',
]);

/** An optional body with required members must stay together: all of it or none. */
function isSpreadable(schema: Record<string, unknown>, required: boolean): boolean {
  const { properties, additionalProperties } = schema;
  if (!isPlainObject(properties) || Object.keys(properties).length === 0) return false;
  if (additionalProperties !== undefined && additionalProperties !== false) return false;
  if (schema.type !== undefined && schema.type !== 'object') return false;
  if (!required && Array.isArray(schema.required) && schema.required.length > 0) return false;
  return Object.keys(schema).every((keyword) => plainMembers.has(keyword) || keyword.startsWith('x-'));
}

const formStyles: readonly Style[] = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'];

function getFields(view: DocumentView, schema: Record<string, unknown>, encoding: unknown): Record<string, FieldPlan> {
  const properties = objectOrEmpty(schema.properties);
  const fields = Object.entries(properties).flatMap(([name, property]) => {
    const said = isPlainObject(encoding) && Object.hasOwn(encoding, name) ? encoding[name] : undefined;
    const file = isFileMember(view, property) || undefined;
    const field: FieldPlan = { ...defined({ file }), ...getField(objectOrEmpty(said)) };
    return Object.keys(field).length > 0 ? [[name, field] as const] : [];
  });
  return Object.fromEntries(fields);
}

function getField({ style, explode, allowReserved, contentType }: Record<string, unknown>): FieldPlan {
  const type = typeof contentType === 'string' ? (contentType.split(',')[0] ?? '').trim() : '';
  return defined({
    style: formStyles.find((known) => known === style),
    explode: typeof explode === 'boolean' ? explode : undefined,
    reserved: allowReserved === true || undefined,
    contentType: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : undefined,
  });
}

function isFileMember(view: DocumentView, property: unknown): boolean {
  const schema = resolved(view, property) ?? {};
  return isFile(schema) || isFile(resolved(view, schema.items));
}

const fileSchema = {
  type: 'object',
  properties: {
    data: { type: 'string', description: 'The bytes of the file in base64' },
    filename: { type: 'string' },
    content_type: { type: 'string', description: 'Such as image/png' },
  },
  required: ['data'],
  additionalProperties: false,
};

/** The schema with every file replaced by a form that callers can write. */
function withFiles(
  view: DocumentView,
  schema: Record<string, unknown>,
  fields: Readonly<Record<string, FieldPlan>>,
): Record<string, unknown> {
  if (!isPlainObject(schema.properties)) return schema;
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    if (!(Object.hasOwn(fields, name) && fields[name]?.file)) return [name, property] as const;
    const { description, items } = resolved(view, property) ?? {};
    const file = description === undefined ? fileSchema : { ...fileSchema, description };
    return [name, items === undefined ? file : { type: 'array', items: fileSchema, description }] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
