/** The functions of one namespace, judged by the compiler. */
import { describe, expect, it } from 'vitest';
import { printFunctions } from './index.js';
import { compile } from './tests/compile.js';

const closed = (properties: Record<string, unknown>) => ({ type: 'object', additionalProperties: false, properties });

describe('R-typedefs: one namespace', () => {
  const user = {
    type: 'object',
    additionalProperties: false,
    properties: { friend: { $ref: '#/$defs/user' }, name: { type: 'string' } },
  };
  const entry = (name: string, extra: Record<string, unknown> = {}) => ({
    name,
    input: { ...closed({ a: { $ref: '#/$defs/user' }, b: { $ref: '#/$defs/user' }, ...extra }), $defs: { user } },
  });
  const problems = (text: string, program = '') => [...compile(`declare namespace tools {\n${text}\n}\n${program}`)];

  it('R-typedefs: equal definitions are written once, recursive ones too', () => {
    const text = printFunctions([
      entry('first'),
      { ...entry('second', { c: true }), output: { type: 'string', description: 'Its id.' }, docs: 'Adds a user.' },
    ]);
    expect(text.match(/^type User\b/gm)).toHaveLength(1);
    expect(text).toContain('/** Adds a user.\n@returns Its id. */\nfunction second(input?:{');
    expect(text).toContain('):Promise<string>;');
    expect(text).toContain('friend?:User');
    expect(problems(text)).toEqual([]);
  });

  it('R-typedefs: an answer that is an item of another answer is written once', () => {
    const issue = closed(
      Object.fromEntries(
        ['title', 'body', 'assignee', 'author', 'label'].map((name) => [name, { type: ['string', 'null'] }]),
      ),
    );
    const text = printFunctions([
      {
        name: 'getIssue',
        input: closed({ number: { type: 'integer' } }),
        output: { ...issue, description: 'The issue.' },
      },
      { name: 'listIssues', input: closed({}), output: closed({ issues: { type: 'array', items: issue } }) },
    ]);
    expect(text).toContain('/** @returns The issue. */\nfunction getIssue');
    expect(text).toContain('}):Promise<Issue>;');
    expect(text).toContain('issues?:Issue[]');
    expect(text.match(/assignee/g)).toHaveLength(1);
    expect(problems(text, 'export const title = (await tools.getIssue({})).titel;')).toHaveLength(1);
  });

  it('R-typedefs: different definitions with one name stay separate', () => {
    const other = entry('second');
    (other.input.$defs as any) = { user: { ...user, required: ['name'] } };
    const text = printFunctions([entry('first'), other]);
    expect(text).toContain('type User = ');
    expect(text).toContain('type User_2 = ');
    expect(problems(text)).toEqual([]);
  });

  it('R-typedefs: a type that the schema calls Promise does not hide the Promise that a function returns', () => {
    const promise = { type: 'object', properties: { next: { $ref: '#/$defs/promise' } } };
    const input = { ...closed({ a: { $ref: '#/$defs/promise' } }), $defs: { promise } };
    const text = printFunctions([{ name: 'make', input, output: closed({ title: { type: 'string' } }) }]);
    expect(text).toContain('type Promise_2 = ');
    expect(problems(text, 'export const title = (await tools.make({})).titel;')).toHaveLength(1);
  });

  it('R-typedefs: a schema that is too large to be written keeps no other function from being declared', () => {
    const large = closed({ code: { enum: Array.from({ length: 7_000 }, (_, at) => `C${at}`) } });
    const text = printFunctions([
      { name: 'large', docs: 'Converts.', input: large, output: large },
      { name: 'small', input: closed({ a: { type: 'string' } }) },
    ]);
    const said = 'Its schema is too large to be written as a type.';
    expect(text.split('\n')).toEqual([
      '/** Converts.',
      said,
      `@returns ${said} */`,
      'function large(input:unknown):Promise<unknown>;',
      'function small(input?:{a?:string}):Promise<unknown>;',
    ]);
  });

  it('R-typedefs: a function without parameters takes none, and one whose parameters are all optional may be called without', () => {
    const text = printFunctions([
      { name: 'none', input: { type: 'object', properties: {} } },
      { name: 'some', input: { type: 'object', properties: { a: { type: 'string' } } } },
      { name: 'open', input: { type: 'object', properties: {}, additionalProperties: { type: 'number' } } },
    ]);
    expect(text.split('\n')).toEqual([
      'function none():Promise<unknown>;',
      'function some(input?:{a?:string}):Promise<unknown>;',
      'function open(input?:{[k:string]:number}):Promise<unknown>;',
    ]);
  });

  it('R-typedefs: an object about whose further properties the schema says nothing is closed, and a stated one is open', () => {
    const properties = { title: { type: 'string' } };
    const text = printFunctions([
      { name: 'silent', input: { type: 'object', properties }, output: { type: 'object', properties } },
      { name: 'stated', input: { type: 'object', properties, additionalProperties: true } },
    ]);
    const program = [
      "tools.silent({ title: 'a' });",
      "tools.silent({ titel: 'a' });",
      "tools.stated({ titel: 'a' });",
      'export const misread = (await tools.silent()).titel;',
    ].join('\n');
    const before = `declare namespace tools {\n${text}\n}`.split('\n').length;
    expect(problems(text, program).map(([line]) => line - before)).toEqual([2, 4]);
  });
});
