/** What an issue takes away from those who work on it, and that it never adds. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import { agentPermissions, type Principal } from '../../domain/principal.js';
import type { RecipeScope } from '../../domain/recipe-scope.js';
import { toolConfigLevels } from '../../domain/task-scope.js';
import type { Tool } from '../../domain/tool.js';
import { decideAccess } from '../../grants/index.js';
import { satisfies } from '../../schema/index.js';
import { type LevelledToolConfig, resolveToolConfig } from '../../tasks/index.js';
import { testProviderTool } from '../../testing/provider-tool.js';

const apps = ['github', 'slack', 'math'];
const agent: Principal = { kind: 'agent', id: 'a', name: 'scout', workspaceId: 'w', permissions: agentPermissions };
const at = '2026-01-01T00:00:00.000Z';

function configurationOf(granted: readonly string[]): WorkspaceConfiguration {
  const connection = (toolkit: string) => ({
    id: `c-${toolkit}`,
    slug: toolkit,
    name: toolkit,
    toolkit,
    provider: 'native' as const,
    scheme: 'api_key',
    ownerId: 'a',
    visibility: 'workspace' as const,
    status: 'active' as const,
    settings: {},
    createdAt: at,
  });
  return {
    workspaceId: 'w',
    revision: 1,
    policyVersion: 1,
    agents: [],
    policies: [],
    toolkits: [],
    pins: [],
    connections: apps.filter((app) => app !== 'math').map(connection),
    grants: granted.map((toolkit) => ({
      id: `g-${toolkit}`,
      agentId: 'a',
      toolkit,
      ...(toolkit === 'math' ? {} : { connectionId: `c-${toolkit}` }),
      tools: ['act'],
      limits: {},
      config: {},
    })),
  };
}

function ask(toolkit: string, levels: readonly LevelledToolConfig[] | undefined, granted: readonly string[] = apps) {
  const tool = toolOf(toolkit);
  const task = levels && { issueId: 'i', ...resolveToolConfig(levels) };
  const principal = task === undefined ? agent : { ...agent, task };
  const connectionId = toolkit === 'math' ? undefined : `c-${toolkit}`;
  return decideAccess({ configuration: configurationOf(granted), principal, tool, connectionId, input: {} }, satisfies)
    .decision;
}

/** Asks within a step of a recipe. */
function askInStep(toolkit: string, step: RecipeScope, granted: readonly string[] = apps) {
  const principal = { ...agent, task: { issueId: 'i', ...resolveToolConfig([]), step } };
  const connectionId = toolkit === 'math' ? undefined : `c-${toolkit}`;
  const configuration = configurationOf(granted);
  return decideAccess({ configuration, principal, tool: toolOf(toolkit), connectionId, input: {} }, satisfies).decision;
}

const toolOf = (toolkit: string): Tool =>
  testProviderTool({ toolkit, name: 'act' }, { provider: 'native', risk: 'read', hasEffects: false });

describe('the step of a recipe', () => {
  const named = (toolkit: string, more: Partial<RecipeScope['tools'][number]> = {}) => [
    { name: toolkit, toolkit, tool: 'act', ...more },
  ];

  test.each([
    ['another tool', named('slack'), 'Step 2 of the recipe triage allows slack'],
    ['another tool of its toolkit', named('github', { tool: 'other' }), 'Step 2 of the recipe triage allows github'],
    ['another account', named('github', { connectionId: 'c-other' }), 'Step 2 of the recipe triage allows github'],
    ['nothing', [], 'Step 2 of the recipe triage allows no tools'],
  ])('R-levels: refuses a granted tool if it names %s', (_, tools, reason) => {
    const refused = { effect: 'deny', rule: 'recipe.step', reason };
    expect(askInStep('github', { recipe: 'triage', step: 2, tools })).toEqual(refused);
    // The control: the step names it, with its account or without one.
    for (const more of [{}, { connectionId: 'c-github' }])
      expect(askInStep('github', { recipe: 'triage', step: 2, tools: named('github', more) })).toMatchObject({
        effect: 'allow',
      });
  });

  test('R-levels R-layers: for any step, it allows nothing that the grants do not allow', () => {
    const names = fc.subarray(apps);
    let taken = 0;
    fc.assert(
      fc.property(names, names, (listed, granted) => {
        for (const app of apps) {
          const without = ask(app, undefined, granted).effect;
          const tools = listed.flatMap((one) => named(one));
          const within = askInStep(app, { recipe: 'triage', step: 1, tools }, granted).effect;
          expect(within).toBe(without === 'allow' && listed.includes(app) ? 'allow' : 'deny');
          if (within !== without) taken += 1;
        }
      }),
      { numRuns: 200, seed: 27 },
    );
    expect(taken).toBeGreaterThan(20);
  });
});

describe('the levels of an issue', () => {
  test.each([
    ['config.repo.disabled', 'github', [{ level: 'repo', disabled: ['GitHub'] }]],
    ['config.org.enabled', 'slack', [{ level: 'org', enabled: ['GitHub'] }]],
    [
      'config.issue.enabled',
      'slack',
      [
        { level: 'org', enabled: ['GitHub', 'Slack'] },
        { level: 'issue', enabled: ['github'] },
      ],
    ],
    ['config.project.defaults', 'math', [{ level: 'project', includeDefaults: false }]],
    ['config.org.disabled', 'math', [{ level: 'org', disabled: ['math'] }]],
  ] as const)('R-inheritance: %s refuses a granted tool of %s', (rule, toolkit, levels) => {
    expect(ask(toolkit, levels)).toMatchObject({ effect: 'deny', rule });
    // The control: without the levels the grant allows it.
    expect(ask(toolkit, undefined)).toMatchObject({ effect: 'allow' });
  });

  test('R-inheritance: a tool without an account is a default, or an app that a level names', () => {
    expect(ask('math', [{ level: 'org', enabled: ['github'] }])).toMatchObject({ effect: 'allow' });
    expect(ask('math', [{ level: 'org', enabled: ['math'], includeDefaults: false }])).toMatchObject({
      effect: 'allow',
    });
  });

  test('R-inheritance R-layers: for any levels, an issue allows nothing that the grants do not allow', () => {
    const names = fc.subarray(apps);
    const level = fc.record(
      {
        level: fc.constantFrom(...toolConfigLevels),
        enabled: names,
        disabled: names,
        requiredApps: names,
        includeDefaults: fc.boolean(),
      },
      { requiredKeys: ['level'] },
    );
    let taken = 0;
    fc.assert(
      fc.property(fc.array(level, { maxLength: 6 }), names, (levels, granted) => {
        for (const app of apps) {
          const without = ask(app, undefined, granted).effect;
          const within = ask(app, levels, granted).effect;
          if (without === 'deny') expect(within).toBe('deny');
          else if (within === 'deny') taken += 1;
        }
      }),
      { numRuns: 500, seed: 21 },
    );
    expect(taken).toBeGreaterThan(100);
  });
});
