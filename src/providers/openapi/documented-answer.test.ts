/** What a document says about answers: in declarations and in plans, and never enforced. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../domain/json.js';
import { printFunctions } from '../../schema/index.js';
import { readOpenApi } from './index.js';

const pet = {
  type: 'object',
  required: ['id', 'kind'],
  properties: {
    id: { type: 'integer', readOnly: true },
    kind: { type: 'string', enum: ['cat', 'owl'] },
    note: { type: 'string', nullable: true },
    password: { type: 'string', writeOnly: true },
    parent: { $ref: '#/components/schemas/Pet' },
  },
};

interface Given {
  readonly responses: unknown;
  readonly schemas?: JsonObject;
  readonly parameters?: readonly JsonObject[];
}

/** The declared type of the answer, in one line; undefined if nothing is known. */
function answerType({ responses, schemas = {}, parameters = [] }: Given): string | undefined {
  const document = {
    openapi: '3.0.3',
    info: {},
    servers: [{ url: 'https://a.example' }],
    paths: { '/things': { get: { operationId: 'list', parameters, responses } } },
    components: { schemas: { Pet: pet, ...schemas } },
  };
  const [found] = readOpenApi(document as unknown as JsonObject, { slug: 'test' }).operations;
  if (found?.documentedAnswer === undefined) return undefined;
  const text = printFunctions([{ name: 'f', input: {}, output: JSON.parse(found.documentedAnswer) }]);
  return text.slice(text.indexOf('Promise<')).replaceAll(/\s+/g, ' ');
}

const json = (schema: unknown) => ({ '200': { description: 'ok', content: { 'application/json': { schema } } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('R-openapi R-typedefs: the answer that a document describes', () => {
  it('has its members, which of them are always there, and what it refers to', () => {
    const type = answerType({ responses: json({ type: 'array', items: ref('Pet') }) });
    expect(type).toContain('id:number kind:"cat"|"owl" note?:string|null parent?:{ id:number');
    expect(type).not.toContain('password');
  });

  it('has the members of all parts', () => {
    const both = {
      allOf: [ref('Pet'), { type: 'object', properties: { born: { type: 'string' } }, required: ['born'] }],
    };
    expect(answerType({ responses: json(both) })).toMatch(/id:number.*born:string/);
  });

  it('has `_page` where pages are followed', () => {
    const parameters = [{ name: 'page', in: 'query', schema: { type: 'integer' } }];
    const type = answerType({ responses: json({ type: 'array', items: { type: 'string' } }), parameters });
    expect(type).toContain('items:string[] _page:{next?:{page:number}}');
  });

  it('is the one of success, in JSON', () => {
    const error = { description: 'no', content: { 'application/json': { schema: ref('Pet') } } };
    expect(answerType({ responses: { '404': error, default: error } })).toBeUndefined();
    const text = { description: 'ok', content: { 'text/csv': { schema: { type: 'string' } } } };
    expect(answerType({ responses: { '200': text } })).toBeUndefined();
  });

  it('is cut where it is too large, and left out where it cannot be followed', () => {
    const wide = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`member${at}`, ref('Wide')]));
    const schemas = {
      Wide: { type: 'object', properties: wide },
      Loop: { allOf: Array(30).fill(ref('Loop')) },
      Either: { anyOf: Array(20).fill(ref('Either')) },
    };
    expect(answerType({ responses: json(ref('Wide')), schemas })).toContain('member39?:unknown');
    for (const name of ['Loop', 'Either', 'Missing'])
      expect(answerType({ responses: json(ref(name)), schemas })).toBeUndefined();
  });
});
