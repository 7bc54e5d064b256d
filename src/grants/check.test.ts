/** A set of grants is refused if it names something that does not exist; existing grants may be stored again. */
import { describe, expect, test } from 'vitest';
import type { Connection } from '../domain/connection.js';
import type { GrantInput } from '../domain/grant.js';
import type { Tool } from '../domain/tool.js';
import { schemaIssues } from '../schema/index.js';
import { checkGrants, type GrantableTools } from './index.js';

const named = (name: string, more: Partial<Tool> = {}) => ({ id: { toolkit: 'x', name }, ...more }) as Tool;
const configSchema = { type: 'object', properties: { top: { type: 'number' } } };
const grantable: GrantableTools = async (toolkit) =>
  ({
    mail: {
      tools: [named('send'), named('read', { configSchema })],
      connections: [{ id: 'c1', slug: 'work' } as Connection],
    },
    fresh: { tools: [named('send')], connections: [] },
    math: { tools: [named('add')], connections: undefined },
  })[toolkit];

const grant = (toolkit: string, more: Partial<GrantInput> = {}): GrantInput => ({
  toolkit,
  tools: ['send'],
  limits: {},
  config: {},
  ...more,
});
const mail = (more: Partial<GrantInput> = {}) => grant('mail', { connectionId: 'c1', ...more });
const math = (more: Partial<GrantInput> = {}) => grant('math', { tools: ['add'], ...more });
const check = (given: readonly GrantInput[], present: readonly GrantInput[] = []) =>
  checkGrants(given, grantable, schemaIssues, present);

describe('the account of a grant', () => {
  test.each([
    ['a toolkit that needs an account, without one', grant('mail'), 'Say which in connectionId. There are: work.'],
    ['an account that is not there', mail({ connectionId: 'c2' }), 'There are: work.'],
    ['an account where none is connected', grant('fresh', { connectionId: 'c1' }), 'There are: none yet: connect one'],
    ['an account of a toolkit that acts with none', math({ connectionId: 'c1' }), 'Leave connectionId out.'],
  ])('R-grants: %s is refused, and the hint lists what exists', async (_what, given, hint) => {
    await expect(check([given])).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('grants/0'),
      hint: expect.stringContaining(hint),
    });
  });

  test('R-grants: an existing account is accepted, and none if the toolkit needs none', async () => {
    await check([mail(), math()]);
  });
});

test('R-grants: an unknown toolkit, and an account that occurs twice, are refused', async () => {
  await expect(check([grant('none')])).rejects.toThrow('grants/0: there is no toolkit "none"');
  await expect(check([mail(), math(), mail({ tools: ['read'] })])).rejects.toThrow('grants/2: mail occurs twice');
});

describe('existing grants', () => {
  test('R-grants: a tool and a toolkit that no longer exist may be granted again', async () => {
    const config = { gone: { a: 1 } };
    await check([mail({ tools: ['gone'] })], [mail({ tools: ['gone', 'send'] })]);
    await check([mail({ tools: ['gone'], config })], [mail({ tools: ['gone'], config })]);
    await check([grant('removed')], [grant('removed')]);
    await check([mail({ connectionId: 'lost' })], [mail({ connectionId: 'lost' })]);
  });

  test.each([
    ['a tool that did not', mail({ tools: ['gone', 'other'] }), 'no tool "other"'],
    ['the same on another account', mail({ connectionId: 'c2', tools: ['gone'] }), 'no connection "c2"'],
    ['a config for a tool that no longer exists and had none', mail({ config: { other: {} } }), 'no tool "other"'],
    ['a config that does not fit a tool that is there', mail({ config: { read: { top: 'x' } } }), 'config/read/top'],
    ['a config for a tool that takes none', mail({ config: { send: {} } }), 'send takes no tool_config'],
    ['no tool at all', mail({ tools: [] }), 'names no tool'],
  ])('R-grants: in addition to it %s is refused', async (_what, given, message) => {
    await expect(check([given], [mail({ tools: ['gone', 'send', 'read'] })])).rejects.toThrow(message);
  });

  test('R-grants: a tool that no longer exists is refused if it was granted only for another account or toolkit', async () => {
    const elsewhere = grant('other', { connectionId: 'c1', tools: ['gone'] });
    for (const other of [mail({ connectionId: 'c9', tools: ['gone'] }), elsewhere])
      await expect(check([mail({ tools: ['gone'] })], [other])).rejects.toThrow('no tool "gone"');
  });
});

describe('limits on arguments', () => {
  const inputSchema = { type: 'object', properties: { to: { type: 'string' } }, additionalProperties: false };
  const offer = (more: Partial<Tool> = {}): GrantableTools => {
    const tool = named('send', { inputSchema, inputAliases: { address: 'to' }, ...more });
    return async () => ({ tools: [tool], connections: undefined });
  };
  const limited = (name: string) =>
    grant('mail', { limits: { send: { properties: { [name]: { pattern: '@example.com$' } } } } });
  const issue = (given: GrantInput, present: readonly GrantInput[] = [], offered = offer()) =>
    checkGrants([given], offered, schemaIssues, present);

  test.each([
    ['under a former name', 'address'],
    ['with a typing error', 'too'],
  ])('attack: a limit on an argument %s is refused, for it would limit nothing', async (_what, name) => {
    const message = `grants/0/limits/send: send takes no argument "${name}"`;
    await expect(issue(limited(name))).rejects.toMatchObject({ message, hint: 'Did you mean to?' });
    // One that is stored may stay, and a tool whose schema is open may take it.
    await issue(limited(name), [limited(name)]);
    await expect(issue(limited(name), [limited('other')])).rejects.toMatchObject({ code: 'invalid_input' });
    await issue(limited(name), [], offer({ inputSchema: { type: 'object' } }));
  });

  test('R-grants: a limit on an argument that the tool takes is accepted', () => issue(limited('to')));
});
