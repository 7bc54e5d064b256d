/** What a start makes of the agents in `helve.yaml`, and what it refuses before it changes anything. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { HelveError } from '../../domain/errors.js';
import { defineToolkit } from '../../domain/tool.js';
import { createHelve, type Helve } from '../../helve.js';
import { testTool } from '../../testing/index.js';
import { lateProvider } from './testing/late-provider.js';

const house = defineToolkit({
  slug: 'house',
  title: 'House',
  description: 'For tests',
  category: 'tests',
  load: async () => [
    testTool({ name: 'look' }),
    testTool({ name: 'paint', configSchema: z.strictObject({ colour: z.enum(['red', 'blue']) }) }),
  ],
});

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'helve-declared-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

interface Started {
  readonly helve: Helve;
  readonly workspaceId: string;
  readonly reported: HelveError[];
  /** Toolkit and tools of each grant of scout. */
  granted(): Promise<readonly (readonly [string, readonly string[]])[]>;
  /** The events so far. */
  events(): Promise<readonly string[]>;
}

/** Starts with these lines in the file and stops again. */
async function start<T>(config: string, use: (started: Started) => Promise<T>, late = lateProvider()): Promise<T> {
  const reported: HelveError[] = [];
  const helve = await createHelve({
    dataDir,
    config,
    nativeToolkits: [],
    toolkits: [house],
    providers: [late.provider],
    reportError: (error) => reported.push(error as HelveError),
  });
  try {
    const { workspaceId } = await helve.setUp();
    const { principal } = await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId));
    return await use({
      helve,
      workspaceId,
      reported,
      async granted() {
        const { grants } = await helve.plane.grantCatalogue(principal, 'scout');
        return grants.map(({ toolkit, tools }) => [toolkit, tools] as const);
      },
      events: async () => (await helve.plane.audit(principal, { limit: 500 })).map(({ type }) => type),
    });
  } finally {
    await helve.close();
  }
}

const scout = (tools: string, more = '') => `agents:\n  - { name: scout, tools: [${tools}]${more} }\n`;
const refusal = (config: string) =>
  start(config, async () => 'started').catch((error: HelveError) => `${error.code}: ${error.message}`);

describe('a declaration', () => {
  test('R-grants: grants what it lists, once: the second start changes nothing', async () => {
    const before = await start(scout('look, house.paint'), async ({ granted, events }) => {
      expect(await granted()).toEqual([['house', ['look', 'paint']]]);
      return events();
    });
    await start(scout('house.paint, look'), async ({ granted, events }) => {
      expect(await granted()).toEqual([['house', ['look', 'paint']]]);
      const since = (await events()).slice(0, -before.length);
      expect(since.filter((type) => /^(grants|agent)\./.test(type))).toEqual([]);
    });
    await start(scout('look'), async ({ granted }) => expect(await granted()).toEqual([['house', ['look']]]));
  });

  test('R-grants: a changed mode is applied, and its removal too', async () => {
    const mode = ({ helve, workspaceId }: Started) =>
      helve.plane
        .agents({ kind: 'user', id: 'u', name: 'u', workspaceId, permissions: ['agents:read'] })
        .then(([agent]) => agent?.toolMode);
    expect(await start(scout('look'), mode)).toBeUndefined();
    expect(await start(scout('look', ', tool_mode: meta'), mode)).toBe('meta');
    expect(await start(scout('look'), mode)).toBeUndefined();
  });

  test('R-grants: an agent of that name that was created through the API is not taken over', async () => {
    await start(scout('look').replace('scout', 'other'), async ({ helve, workspaceId }) => {
      const admin = { kind: 'user', id: 'u', name: 'u', workspaceId, permissions: ['agents:write'] } as const;
      await helve.plane.createAgent(admin, { slug: 'scout' });
    });
    expect(await refusal(scout('look'))).toMatch(
      /^invalid_config: .*agents.* scout was already created through the API/,
    );
    await start(scout('look').replace('scout', 'other'), async ({ granted }) => expect(await granted()).toEqual([]));
  });
});

describe('a start is refused, with the place', () => {
  const painted = (config: string) => scout('house.paint', `, tool_config: { ${config} }`);
  test.each([
    ['a tool that is none', scout('lok'), /tools.*there is no tool "lok"; did you mean look\?/],
    ['settings of a tool that is none', painted('pant: {}'), /tool_config.*there is no tool "pant"/],
    ['settings of a tool that it does not list', painted('look: {}'), /look is not among the agent's tools/],
    [
      'settings of a tool without any',
      scout('look', ', tool_config: { look: { colour: red } }'),
      /look takes no tool_config/,
    ],
    [
      'settings of an external tool',
      scout('far__fetch', ', tool_config: { far__fetch: {} }'),
      /far__fetch takes no tool_config/,
    ],
    ['settings that do not fit', painted('house.paint: { colour: green }'), /tool_config.*colour/],
  ])('R-config: %s', async (_what, config, message) => {
    expect(await refusal(config)).toMatch(/^invalid_config: /);
    expect(await refusal(config)).toMatch(message);
    await start(scout('house.paint', ', tool_config: { house.paint: { colour: red } }'), async ({ granted }) =>
      expect(await granted()).toEqual([['house', ['paint']]]),
    );
  });
});

describe('tools of an external toolkit', () => {
  const declared = scout('look, far__fetch, far__gone');
  const far = (tools: readonly string[]) => ['far', tools] as const;

  test('R-grants: are granted when it has been read; one that it lacks is reported once', async () => {
    const late = lateProvider();
    await start(
      declared,
      async ({ granted, reported }) => {
        expect(await granted()).toEqual([['house', ['look']]]);
        late.offer('fetch');
        await expect.poll(granted).toContainEqual(far(['fetch']));
        late.offer('fetch', 'other');
        await expect.poll(() => reported.length).toBeGreaterThan(0);
        late.offer('fetch', 'gone');
        await expect.poll(granted).toContainEqual(far(['fetch', 'gone']));
        expect(reported.map(({ message }) => message)).toEqual([
          expect.stringMatching(/far has no tool "far__gone" so far/),
        ]);
      },
      late,
    );
  });

  test('R-grants: stay granted while it cannot be read, as far as they are still declared', async () => {
    const late = lateProvider();
    await start(
      declared,
      async ({ granted }) => {
        late.offer('fetch', 'gone');
        await expect.poll(granted).toContainEqual(far(['fetch', 'gone']));
      },
      late,
    );
    await start(declared, async ({ granted }) => expect(await granted()).toContainEqual(far(['fetch', 'gone'])));
    await start(scout('look, far__fetch'), async ({ granted }) =>
      expect(await granted()).toEqual(expect.arrayContaining([far(['fetch']), ['house', ['look']]])),
    );
    await start(scout('look'), async ({ granted }) => expect(await granted()).toEqual([['house', ['look']]]));
  });
});
