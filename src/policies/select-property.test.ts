/** The policies that are looked up are exactly those that a look at every policy finds, in the same order. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Policy, PolicyEffect } from '../domain/grant.js';
import type { JsonObject, JsonSchema } from '../domain/json.js';
import type { ToolId } from '../domain/naming/index.js';
import type { Principal } from '../domain/principal.js';
import type { RiskTier, Tool } from '../domain/tool.js';
import { satisfies } from '../schema/index.js';
import { expectEqual } from '../testing/expect-equal.js';
import { noteOrigin } from '../util/lookup.js';
import { findArgumentKey } from './argument-keys.js';
import { decidePolicy, namesTool } from './index.js';
import { hasOnlyExactName, writtenForms } from './names.js';
import { selectPolicies } from './select.js';

const ids: readonly ToolId[] = [
  { toolkit: 'mail', name: 'send' },
  { toolkit: 'mail', name: 'send_all' },
  { toolkit: 'git-hub', name: 'delete' },
  { toolkit: 'git-hub', name: 'delete_' },
  { toolkit: '_own', name: '1password-list' },
  { toolkit: 'class', name: 'then' },
  { toolkit: 'Odd', name: 'Ünusual name.*' },
  { toolkit: 'math', name: 'calculate' },
  { toolkit: 'hub', name: 'delete' },
  { toolkit: 'a', name: 'x_0123456789abcdef0' },
];
const texts = [
  ...new Set(
    ids.flatMap((id) => [
      ...writtenForms(id),
      id.name,
      `${id.toolkit}.${id.name}`,
      `${id.toolkit}.*`,
      `*.${id.name}`,
      id.toolkit,
    ]),
  ),
  '*',
  '',
  'calculator',
];

const property = fc.constantFrom('to', 'amount', '__proto__', 'constructor');
const value = fc.constantFrom<unknown>('ada', 'bo', true, false, 1, 100, null, ['ada'], { to: 'ada' });
const keyword = fc.oneof(
  fc.record({ const: value }),
  fc.record({ enum: fc.array(value, { minLength: 1, maxLength: 3 }) }),
  fc.record({ minimum: fc.constantFrom(1, 50) }),
  fc.record({ type: fc.constantFrom('string', 'number'), pattern: fc.constantFrom('^a', 'o$') }),
  fc.constant({}),
  fc.constant({ const: 'ada', nullable: true }),
);
const properties = fc.uniqueArray(fc.tuple(property, keyword), { selector: ([name]) => name, maxLength: 3 });
/** Plain schemas, and some that are not. */
const shape: fc.Arbitrary<JsonSchema> = fc
  .tuple(
    fc.record(
      {
        type: fc.constant('object'),
        required: fc.uniqueArray(property, { maxLength: 2 }),
        properties: properties.map((entries) => Object.fromEntries(entries)),
      },
      { requiredKeys: [] },
    ),
    fc.oneof(
      { arbitrary: fc.constant({}), weight: 4 },
      fc.constantFrom(
        { not: { required: ['amount'] } },
        { anyOf: [{ required: ['to'] }, { required: ['amount'] }] },
        { $schema: 'http://json-schema.org/draft-04/schema#' },
      ),
    ),
  )
  .map(([plain, more]) => ({ ...plain, ...more }) as JsonSchema)
  // A keyword that the named draft does not know is refused when the policy is written.
  .filter(compiles);
const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 4 });
const condition = fc.oneof(
  fc.record({ agents: some(['a1', 'scout', 'a2', 'other']) }),
  fc.record({ toolkits: some(['mail', 'math', 'git-hub', 'none']) }),
  fc.record({ tools: some(texts) }),
  fc.record({ tools: fc.constantFrom(...ids).map((id) => [...writtenForms(id)].slice(0, 3)) }),
  fc.record({ risk: some<RiskTier>(['read', 'write', 'destructive']) }),
  fc.record({ arguments: shape }),
);
const policy: fc.Arbitrary<Omit<Policy, 'id'>> = fc.record({
  effect: fc.constantFrom<PolicyEffect>('allow', 'require_approval', 'deny'),
  when: fc.array(condition, { maxLength: 3 }).map((all): Policy['when'] => Object.assign({}, ...all)),
});
const principals = [
  { kind: 'agent', id: 'a1', name: 'scout' },
  { kind: 'agent', id: 'a2', name: 'a2' },
  { kind: 'agent', id: 'a3', name: 'nobody' },
  { kind: 'api_key', id: 'a1', name: 'scout' },
];
const call = fc.record({
  id: fc.constantFrom(...ids),
  risk: fc.constantFrom<RiskTier>('read', 'write', 'destructive'),
  principal: fc.constantFrom(...principals),
  input: fc.option(
    fc
      .uniqueArray(fc.tuple(fc.oneof(property, fc.string({ maxLength: 2 })), value), {
        selector: ([name]) => name,
        maxLength: 5,
      })
      .map((entries) => Object.fromEntries(entries) as JsonObject),
    { nil: undefined },
  ),
});

describe('the index of policies', () => {
  test('attack: no policy that a look at all of them finds is left out, and the answer is the same', () => {
    const runs = { matched: 0, left: 0 };
    fc.assert(
      fc.property(
        fc.array(policy, { maxLength: 40 }),
        fc.array(call, { minLength: 4, maxLength: 8 }),
        (made, calls) => {
          const policies = made.map((one, at): Policy => ({ ...one, id: `p${at}` }));
          for (const { id, risk, principal, input } of calls) {
            const tool = { id, risk } as Tool;
            const question = { principal: principal as Principal, tool, input };
            const expected = policies.filter((one) => matches(one, question));
            const found = selectPolicies(policies, question);
            expectEqual(
              found.filter((one) => matches(one, question)),
              expected,
            );
            runs.matched += expected.length;
            runs.left += policies.length - found.length;
            // Each list of one policy has an index of its own.
            const answer = decidePolicy({ ...question, policies }, satisfies);
            expectEqual(answer, decidePolicy({ ...question, policies: expected }, satisfies));
          }
        },
      ),
      { numRuns: 400 },
    );
    // It looked at something, and it left something out.
    expect(runs.matched).toBeGreaterThan(2_000);
    expect(runs.left).toBeGreaterThan(5_000);
  });

  test('attack: after changes of some policies, what is found and answered is what a new index finds and answers', () => {
    const runs = { matched: 0, changed: 0 };
    const edit = fc.record({ at: fc.nat(), removed: fc.nat({ max: 3 }), added: fc.array(policy, { maxLength: 3 }) });
    fc.assert(
      fc.property(
        fc.array(policy, { minLength: 5, maxLength: 30 }),
        fc.array(edit, { minLength: 1, maxLength: 6 }),
        fc.array(call, { minLength: 4, maxLength: 8 }),
        (made, edits, calls) => {
          let number = 0;
          const named = (one: Omit<Policy, 'id'>): Policy => ({ ...one, id: `p${number++}` });
          const tools = calls.map(({ id, risk }) => ({ id, risk }) as Tool);
          let policies: readonly Policy[] = made.map(named);
          const check = () => {
            for (const [at, { principal, input }] of calls.entries()) {
              const question = { principal: principal as Principal, tool: tools[at] as Tool };
              for (const selection of [{ ...question, input }, question, { ...question, isBrief: true }]) {
                const expected = selectPolicies([...policies], selection);
                expect(selectPolicies(policies, selection)).toEqual(expected);
                expect(decidePolicy({ ...selection, policies }, satisfies)).toEqual(
                  decidePolicy({ ...selection, policies: [...policies] }, satisfies),
                );
                runs.matched += expected.length;
              }
            }
          };
          check();
          for (const { at, removed: count, added: more } of edits) {
            const [from, start] = [policies, at % (policies.length + 1)];
            const added = more.map(named);
            const present = [...from];
            const removed = present.splice(start, count, ...added);
            policies = present;
            noteOrigin(policies, { from, removed, added });
            runs.changed += removed.length + added.length;
            check();
          }
        },
      ),
      { numRuns: 200 },
    );
    expect(runs.matched).toBeGreaterThan(5_000);
    expect(runs.changed).toBeGreaterThan(500);
  });

  test('R-approval: policies that are added again and again at one place keep their order', () => {
    const named = (number: number): Policy => ({ id: `p${number}`, effect: 'deny', when: { tools: ['mail.send'] } });
    let policies: readonly Policy[] = [named(0), named(1), named(-1)];
    const selection = { principal: principals[0] as Principal, tool: { id: ids[0] } as Tool };
    for (let number = 2; number < 200; number += 1) {
      expect(selectPolicies(policies, selection)).toEqual(policies);
      const from = policies;
      const added = [named(number)];
      policies = [...from.slice(0, 2), ...added, ...from.slice(2)];
      noteOrigin(policies, { from, removed: [], added });
    }
    expect(selectPolicies(policies, selection)).toEqual(policies);
  });

  test('attack: a brief answer is the whole one, with fewer rules, however many policies differ only in their arguments', () => {
    const runs = { left: 0, open: 0, limited: 0, asked: 0 };
    const alike = fc.record(
      {
        effect: fc.constantFrom<PolicyEffect>('allow', 'require_approval', 'deny'),
        arguments: shape,
        elicitation: fc.boolean(),
        limited: fc.nat(5),
      },
      { requiredKeys: ['effect', 'limited'] },
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(policy, fc.array(alike, { minLength: 1, maxLength: 20 })), { maxLength: 6 }),
        fc.array(call, { minLength: 4, maxLength: 8 }),
        (made, calls) => {
          const policies = made.flatMap(([{ when }, all], group) =>
            all.map(({ arguments: schema, limited, ...one }, at): Policy => {
              const shapes = schema === undefined ? {} : { arguments: schema };
              return {
                ...one,
                ...(limited === 0 && { rateLimit: { calls: 1, seconds: 1 } }),
                id: `p${group}-${at}`,
                when: { ...when, ...shapes },
              };
            }),
          );
          for (const { id, risk, principal } of calls) {
            const question = { principal: principal as Principal, tool: { id, risk } as Tool };
            const { rules, ...expected } = decidePolicy({ ...question, policies }, satisfies);
            // The answers for one caller are kept, and must not become those of another.
            for (const asker of [...principals, principal]) {
              const other = { principal: asker as Principal, tool: question.tool };
              const { rules: _rules, ...whole } = decidePolicy({ ...other, policies }, satisfies);
              const { rules: _fewer, ...kept } = decidePolicy({ ...other, policies, isBrief: true }, satisfies);
              expectEqual(kept, whole);
            }
            const { rules: fewer, ...brief } = decidePolicy({ ...question, policies, isBrief: true }, satisfies);
            expectEqual(brief, expected);
            runs.left += rules.length - fewer.length;
            runs.limited += brief.rateLimits.length;
            if (brief.approval === 'depends') runs.open += 1;
            if (brief.elicitation !== undefined) runs.asked += 1;
          }
        },
      ),
      { numRuns: 400 },
    );
    for (const [what, count] of Object.entries(runs)) expect([what, count > 200, count]).toEqual([what, true, count]);
  });

  test('R-approval: a text that is taken for an identity alone is no other form of any tool', () => {
    for (const id of ids)
      for (const form of writtenForms(id)) if (hasOnlyExactName(form)) expect(form).toBe(`${id.toolkit}.${id.name}`);
    expect(hasOnlyExactName('mail.send_all')).toBe(true);
    expect(hasOnlyExactName('git-hub.delete_')).toBe(false);
  });
});

test.each<[JsonSchema, ReturnType<typeof findArgumentKey>]>([
  [{}, undefined],
  [{ properties: { to: { const: 'a' } } }, undefined],
  [{ required: ['to'] }, { property: 'to' }],
  [
    { required: ['x', 'to'], properties: { to: { const: 'a' } } },
    { property: 'to', values: ['a'] },
  ],
  [
    { required: ['to'], properties: { to: { enum: ['a', true] } } },
    { property: 'to', values: ['a', true] },
  ],
  [{ required: ['to'], properties: { to: { enum: ['a', 1] } } }, { property: 'to' }],
  [{ required: ['to'], properties: { to: { const: 'a', nullable: true } } }, undefined],
  [{ required: ['to'], properties: { to: { pattern: '(' } } }, undefined],
  [{ required: ['to'], unknown: 1 }, undefined],
  [{ required: ['to'], $ref: '#/x' }, undefined],
  [{ required: ['to'], properties: { to: true } }, undefined],
])('R-approval: of %j, %j can be looked up', (schema, expected) => {
  expect(findArgumentKey(schema)).toEqual(expected);
});

function compiles(schema: JsonSchema): boolean {
  try {
    satisfies(schema, {});
    return true;
  } catch {
    return false;
  }
}

/** One policy at a time, without any index. */
function matches({ effect, when }: Policy, question: Parameters<typeof selectPolicies>[1] & { readonly tool: Tool }) {
  const { principal, tool, input } = question;
  const { agents, toolkits, tools, risk, arguments: schema } = when;
  if (agents && !(principal.kind === 'agent' && (agents.includes(principal.id) || agents.includes(principal.name))))
    return false;
  if (toolkits && !toolkits.includes(tool.id.toolkit)) return false;
  if (tools && !tools.some((name) => namesTool(name, tool.id, effect))) return false;
  if (risk && !risk.includes(tool.risk)) return false;
  return schema === undefined || input === undefined || satisfies(schema, input);
}
