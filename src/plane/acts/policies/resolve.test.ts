/** Resolves names in policies, with a small set of tools and agents. */
import { describe, expect, test } from 'vitest';
import type { Policy } from '../../../domain/grant.js';
import type { Tool } from '../../../domain/tool.js';
import { namesTool } from '../../../policies/index.js';
import { type NameQuestion, resolvePolicy, withAgentSlugs, withoutEffect } from './resolve.js';

const id = (toolkit: string, name: string) => ({ toolkit, name });
const tools = [
  { id: id('mail', 'send'), risk: 'write' },
  { id: id('mail', 'read'), risk: 'read' },
] as Tool[];
const called: Record<string, unknown> = {
  work__send: { name: 'work__send', connectionId: 'c1', tool: tools[0] },
  MAIL_SEND: { name: 'work__send', connectionId: 'c1', tool: tools[0] },
  send: { name: 'send', tool: tools[0] },
};
const question = (before: Policy[] = []): NameQuestion => ({
  catalogue: { find: (text: string) => called[text] } as never,
  known: {
    tools,
    toolkits: new Map([
      ['mail', {}],
      ['notes', {}],
    ]) as never,
    unread: new Set(['notes']),
    isNamed: (text, effect) => tools.some((tool) => namesTool(text, tool.id, effect)),
    hasToolLike: (_when, test) => tools.some(test),
    toolsOf: (text) =>
      text === 'gone' ? [] : tools.map((tool) => tool.id).filter(({ name }) => text.toLowerCase().endsWith(name)),
    unreadToolkitOf: (text) => (text.startsWith('notes') ? 'notes' : undefined),
    nearestTool: () => 'send',
  },
  agents: [
    { id: 'a1', slug: 'scout', name: 'scout' },
    { id: 'a2', slug: 'a1', name: 'a1' },
  ],
  accounts: new Map([
    ['notes-work', 'notes'],
    ['desk', 'notes'],
    ['mail-work', 'mail'],
  ]),
  before,
});
const policy = (when: Policy['when'], effect: Policy['effect'] = 'deny'): Policy => ({ id: 'p', effect, when });
const resolve = (when: Policy['when'], effect: Policy['effect'] = 'deny', before: Policy[] = []) =>
  resolvePolicy(policy(when, effect), 0, question(before)).when;

describe('the stored form', () => {
  test('R-approval: identities of tools and agents; an id comes before a slug', () => {
    expect(resolve({ tools: ['send', 'mail.send', 'MAIL_SEND', 'read'] })).toEqual({
      tools: ['mail.send', 'mail.read'],
    });
    // An existing tool in another form takes precedence over one that may come with an unconnected server.
    expect(resolve({ tools: ['notes-send'] }).tools).toEqual(['mail.send']);
    expect(resolve({ agents: ['scout', 'a1', 'a2'] })).toEqual({ agents: ['a1', 'a1', 'a2'] });
    expect(resolve({ toolkits: ['mail'], risk: ['read'] })).toEqual({ toolkits: ['mail'], risk: ['read'] });
    expect(resolve({ tools: ['*', 'mail.*', '*.send', 'notes.later'] }).tools).toEqual([
      '*',
      'mail.*',
      '*.send',
      'notes.later',
    ]);
  });

  test('attack: a tool of an account that cannot be read is denied as the tool, so that the rule applies once it exists', () => {
    for (const effect of ['deny', 'require_approval'] as const)
      expect(resolve({ tools: ['notes-work__burn', 'desk__burn__all'] }, effect).tools).toEqual([
        'notes.burn',
        'notes.burn__all',
      ]);
    // A permission never covers more than was named.
    expect(resolve({ tools: ['notes-work__burn'] }, 'allow').tools).toEqual(['notes-work__burn']);
    expect(() => resolve({ tools: ['mail-work__burn'] })).toThrow('there is no tool');
    expect(() => resolve({ tools: ['desk'] })).toThrow('there is no tool');
  });

  test.each([
    ['agents', 'nobody'],
    ['toolkits', 'none'],
    ['tools', 'gone'],
    ['tools', 'none.*'],
    ['tools', '*.none'],
    ['tools', 'x.send*'],
    ['tools', 'x*send'],
  ] as const)('R-approval: in %s, %s matches nothing and is refused; an existing name in the same position may stay', (part, name) => {
    const when = { [part]: [name] };
    const error = expect.objectContaining({
      code: 'invalid_input',
      message: expect.stringContaining(`policies/0/when/${part}/0`),
    });
    expect(() => resolve(when)).toThrow(error);
    expect(resolve(when, 'deny', [policy(when)])).toEqual(when);
    // With another effect, or in another position, it would be a new rule.
    expect(() => resolve(when, 'deny', [policy(when, 'allow')])).toThrow(error);
    const elsewhere = part === 'agents' ? { tools: [name] } : { agents: [name] };
    expect(() => resolve(when, 'deny', [policy(elsewhere), policy({ [part]: ['other'] })])).toThrow(error);
  });

  test('attack: a name of one account does not allow the tool for all; it denies it, and other forms do allow', () => {
    expect(() => resolve({ tools: ['work__send'] }, 'allow')).toThrow('names one account');
    expect(resolve({ tools: ['work__send'] }).tools).toEqual(['mail.send']);
    expect(resolve({ tools: ['MAIL_SEND'] }, 'allow').tools).toEqual(['mail.send']);
    expect(resolve({ tools: ['send'] }, 'allow').tools).toEqual(['mail.send']);
  });

  test('R-approval: agents are shown as slugs, and a removed one as its id', () => {
    const named = withAgentSlugs(policy({ agents: ['a1', 'lost'] }), question().agents);
    expect(named.when.agents).toEqual(['scout', 'lost']);
    expect(withAgentSlugs(policy({}), question().agents).when).toEqual({});
  });
});

test.each<[Policy['when'], Policy['effect'], string[]]>([
  [{}, 'deny', []],
  [{ agents: ['a1'], toolkits: ['mail'], tools: ['mail.send'], risk: ['write'] }, 'deny', []],
  [{ agents: ['nobody'] }, 'deny', ['when/agents/0']],
  [{ toolkits: ['mail', 'none'] }, 'deny', ['when/toolkits/1']],
  [{ tools: ['mail.send', 'gone'] }, 'deny', ['when/tools/1']],
  [{ tools: ['MAIL_SEND'] }, 'deny', []],
  [{ tools: ['MAIL_SEND'] }, 'allow', ['when/tools/0']],
  [{ tools: ['notes.later'] }, 'deny', ['when/tools/0']],
  [{ agents: [] }, 'deny', ['when/agents']],
  [{ risk: [] }, 'deny', ['when/risk']],
  [{ toolkits: ['mail'], risk: ['destructive'] }, 'deny', ['when']],
  [{ tools: ['mail.send'], risk: ['read'] }, 'deny', ['when']],
  [{ toolkits: ['notes'], tools: ['mail.send'] }, 'deny', []],
  [{ toolkits: ['notes'] }, 'deny', []],
  [{ risk: ['destructive'] }, 'deny', []],
])('R-approval: of %j that would %s, %j has no effect', (when, effect, paths) => {
  const found = withoutEffect(policy(when, effect), question());
  expect(found.map(({ path }) => path)).toEqual(paths);
  const [first] = found;
  if (when.tools?.includes('notes.later')) expect(first?.message).toContain('cannot be read yet');
  if (effect === 'allow') expect(first?.message).toContain('is not the name by which a policy allows');
});
