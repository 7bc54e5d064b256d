/** Of the policies that match a call, the strictest wins; if none matches, the risk tier decides. */
import { describe, expect, test } from 'vitest';
import type { Policy, PolicyEffect } from '../domain/grant.js';
import { agentPermissions, type Principal } from '../domain/principal.js';
import type { Tool } from '../domain/tool.js';
import { satisfies } from '../schema/index.js';
import { testProviderTool } from '../testing/provider-tool.js';
import { decidePolicy } from './index.js';

const principal: Principal = {
  kind: 'agent',
  id: 'a1',
  name: 'scout',
  workspaceId: 'w',
  permissions: agentPermissions,
};
const tool = (more: Partial<Tool> = {}): Tool =>
  testProviderTool({ toolkit: 'mail', name: 'send' }, { provider: 'native', ...more });
const decide = (policies: readonly Policy[], more: Partial<Parameters<typeof decidePolicy>[0]> = {}) =>
  decidePolicy({ policies, principal, tool: tool(), input: { to: 'ada' }, ...more }, satisfies);
const policy = (effect: PolicyEffect, when: Policy['when'] = {}, id: string = effect): Policy => ({ id, effect, when });

describe('strictness', () => {
  const effects = ['deny', 'require_approval', 'allow'] as const;
  const sets = effects.flatMap((one) => effects.flatMap((two) => effects.map((three) => [one, two, three] as const)));

  test.each(sets)('R-approval: of %s, %s and %s the strictest decides, in any order', (...set) => {
    const { decision } = decide(set.map((effect, index) => policy(effect, {}, `${effect}-${index}`)));
    const strictest = effects.find((effect) => set.includes(effect));
    expect(decision.effect).toBe(strictest);
    expect(decision.rule).toBe(`policy:${strictest}-${set.indexOf(strictest ?? 'allow')}`);
  });

  test.each([
    ['read', false, 'allow', 'default.read'],
    ['write', false, 'allow', 'default.write'],
    ['destructive', false, 'deny', 'default.destructive'],
    ['read', true, 'require_approval', 'default.high_risk'],
    ['write', true, 'require_approval', 'default.high_risk'],
    ['destructive', true, 'deny', 'default.destructive'],
  ] as const)('R-approval: without a policy a %s tool, high risk %s, is %s', (risk, highRisk, effect, rule) => {
    const one = { tool: tool({ risk, highRisk }) };
    expect(decide([], one).decision).toMatchObject({ effect, rule });
    // A policy that does not match is ignored; one that matches overrides the tier, also to loosen it.
    expect(decide([policy('deny', { tools: ['other'] })], one).decision).toMatchObject({ effect, rule });
    expect(decide([policy('allow')], one).decision).toMatchObject({ effect: 'allow', rule: 'policy:allow' });
  });
});

describe('what matches', () => {
  test.each([
    ['everything', {}, true],
    ['the agent by name', { agents: ['scout'] }, true],
    ['the agent by id', { agents: ['a1'] }, true],
    ['another agent', { agents: ['other'] }, false],
    ['no agent', { agents: [] }, false],
    ['the toolkit', { toolkits: ['mail'] }, true],
    ['another toolkit', { toolkits: ['math'] }, false],
    ['the tool', { tools: ['send'] }, true],
    ['the tool in full', { tools: ['mail.send'] }, true],
    ['the tool of another toolkit', { tools: ['math.send'] }, false],
    ['the risk', { risk: ['write', 'destructive'] }, true],
    ['another risk', { risk: ['read'] }, false],
    ['the arguments', { arguments: { properties: { to: { const: 'ada' } } } }, true],
    ['other arguments', { arguments: { properties: { to: { const: 'bo' } } } }, false],
    ['all but one condition', { agents: ['scout'], tools: ['send'], risk: ['read'] }, false],
  ] as const)('R-approval: %s', (_what, when, matches) => {
    expect(decide([policy('deny', when)]).decision.effect).toBe(matches ? 'deny' : 'allow');
  });

  test('R-approval: a rule for an agent’s name does not apply to a key of that name', () => {
    const key: Principal = { ...principal, kind: 'api_key' };
    expect(decide([policy('deny', { agents: ['scout', 'a1'] })], { principal: key }).decision.effect).toBe('allow');
  });

  test('R-limits: every matching policy’s rate limit counts, whichever policy decides', () => {
    const rateLimit = { calls: 1, seconds: 2 };
    const { rateLimits } = decide([
      { ...policy('allow'), rateLimit },
      { ...policy('require_approval'), rateLimit: { calls: 3, seconds: 4 } },
      { ...policy('deny', { tools: ['other'] }), rateLimit },
    ]);
    expect(rateLimits).toEqual([
      { policyId: 'allow', ...rateLimit },
      { policyId: 'require_approval', calls: 3, seconds: 4 },
    ]);
  });
});

describe('without arguments', () => {
  const whenBo = { arguments: { type: 'object', properties: { to: { const: 'bo' } }, required: ['to'] } };
  const listed = (...policies: Policy[]) => decide(policies, { input: undefined });
  const isOpen = (one: object) => 'dependsOnArguments' in one;

  test.each([
    ['no condition on arguments', {}, false],
    ['an empty condition', { arguments: {} }, false],
    ['a condition on arguments', whenBo, true],
  ] as const)('R-layers: with %s, a denial is final or depends on the call', (_what, when, open) => {
    const { decision, approval, rules } = listed(policy('deny', when));
    expect([decision.effect, approval]).toEqual(open ? ['allow', 'depends'] : ['deny', 'denied']);
    expect(rules.filter(({ effect }) => effect === 'deny').map(isOpen)).toEqual([open]);
  });

  test('R-layers: rules that hold for all arguments are distinguished from those that may hold, each listed once', () => {
    const { rules } = listed(policy('require_approval'), policy('deny', whenBo));
    expect(rules.map((one) => [one.rule, isOpen(one)])).toEqual([
      ['policy:require_approval', false],
      ['policy:deny', true],
    ]);
    // If both give the same result, nothing depends on the arguments.
    expect(listed(policy('allow'), policy('allow', whenBo, 'other')).approval).toBe('none');
  });
});

describe('the names of a tool', () => {
  const names = ['*', 'send', 'mail.send', 'mail.*', '*.send'];
  const forms = ['MAIL_SEND', 'mail__send'];
  const others = ['mail', 'mail.Send', 'sendx', 'mail.sendx', 'other.send', 'other.*', '*.other', 'mail.', ''];

  test.each(names)('R-approval: %s allows the tool, and denies it', (name) => {
    const destructive = { tool: tool({ risk: 'destructive' }) };
    expect(decide([policy('allow', { tools: [name] })], destructive).decision.effect).toBe('allow');
    expect(decide([policy('deny', { tools: [name] })]).decision.effect).toBe('deny');
  });

  test.each(forms)('R-approval: %s, which was stored before names were resolved, denies the tool', (name) => {
    expect(decide([policy('deny', { tools: [name] })]).decision.effect).toBe('deny');
  });

  test.each(others)('R-approval: %s does not deny the tool', (name) => {
    expect(decide([policy('deny', { tools: [name] })]).decision.effect).toBe('allow');
  });

  test.each([...forms, ...others])('attack: %s does not allow the tool', (name) => {
    const destructive = { tool: tool({ risk: 'destructive' }) };
    expect(decide([policy('allow', { tools: [name] })], destructive).decision.rule).toBe('default.destructive');
  });
});

describe('who may answer through the client', () => {
  const asks = (elicitation?: boolean): Policy => ({
    ...policy('require_approval', {}, `asks-${elicitation}`),
    ...(elicitation === undefined ? {} : { elicitation }),
  });
  test.each([
    ['nobody asks', [], undefined],
    ['only the tier asks', [policy('deny', { tools: ['other'] })], undefined],
    ['one that allows says nothing of it', [policy('allow')], undefined],
    ['one that asks says nothing', [asks()], undefined],
    ['one that asks lets it', [asks(true)], true],
    ['one that asks forbids it', [asks(false)], false],
    ['one lets it and one forbids it', [asks(true), asks(false)], false],
    ['one lets it and one says nothing', [asks(true), asks()], undefined],
    ['one that asks lets it and one that allows says nothing', [asks(true), policy('allow')], true],
  ] as const)('R-approval: %s', (_what, policies, expected) => {
    expect(decide(policies, { tool: tool({ highRisk: true }) }).elicitation).toBe(expected);
  });
});
