/** What a start makes of the agents in `helve.yaml`, and what it refuses before it changes anything. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { Principal } from '../../domain/principal.js';
import { defineToolkit } from '../../domain/tool.js';
import { createHelve, type Helve } from '../../helve.js';
import { testTool } from '../../testing/index.js';
import { lateProvider } from './testing/late-provider.js';
import { storedGrants, storeGrant } from './testing/stored-grants.js';

const house = defineToolkit({
  slug: 'house',
  title: 'House',
  description: 'For tests',
  category: 'tests',
  load: async () => [
    testTool({ name: 'look' }),
    testTool({ name: 'paint', configSchema: z.strictObject({ colour: z.enum(['red', 'blue']) }) }),
    // Its name begins like the external toolkit.
    testTool({ name: 'far_look', configSchema: z.strictObject({ depth: z.number() }) }),
    testTool({
      name: 'open_door',
      configSchema: z.strictObject({ path: z.string() }),
      files(config) {
        const { path } = config as JsonObject;
        if (path === '') throw new Error('a mistake in the tool');
        return { allowedPaths: [String(path)], maxBytes: 1, writable: false };
      },
    }),
  ],
});

const field = { name: 'token', title: 'Token', secret: true } as const;
const mail = defineToolkit({
  slug: 'mail',
  title: 'Mail',
  description: 'For tests',
  category: 'tests',
  auth: { schemes: [{ id: 'token', kind: 'api_key', title: 'Token', fields: [field] }] },
  load: async () => [testTool({ name: 'send' })],
});

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'helve-declared-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

interface Started {
  readonly helve: Helve;
  readonly workspaceId: string;
  readonly admin: Principal;
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
    toolkits: [house, mail],
    providers: [late.provider],
    reportError: (error) => reported.push(error as HelveError),
  });
  try {
    const { workspaceId } = await helve.setUp();
    const { principal: admin } = await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId));
    const grants = () => storedGrants({ dataDir, workspaceId, slug: 'scout' });
    return await use({
      helve,
      workspaceId,
      admin,
      reported,
      granted: async () => (await grants()).map(({ toolkit, tools }) => [toolkit, tools] as const),
      events: async () => (await helve.plane.audit(admin, { limit: 500 })).map(({ type }) => type),
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

  test('attack: is all that the agent may use, also of a person’s private account', async () => {
    await start('', async ({ helve, admin }) => {
      const account = { toolkit: 'mail', name: 'Mine', visibility: 'private' } as const;
      const { id } = await helve.plane.addConnection(admin, account);
      await helve.plane.connect(admin, id, { credentials: { token: 't' }, check: false });
    });
    await start(scout('look, mine__send'), async ({ granted }) =>
      expect(await granted()).toEqual([
        ['house', ['look']],
        ['mail', ['send']],
      ]),
    );
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

  test('R-tool-config: settings of a tool of our own are taken, although its name begins like an external toolkit', () =>
    start(scout('far_look', ', tool_config: { far_look: { depth: 2 } }'), async ({ workspaceId }) =>
      expect(await storedGrants({ dataDir, workspaceId, slug: 'scout' })).toMatchObject([
        { config: { far_look: { depth: 2 } } },
      ]),
    ));

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
    ['an unknown tool', scout('lok'), /tools.*there is no tool "lok"; did you mean look\?/],
    ['a toolkit', scout('house'), /"house" does not name one tool; it can mean 4/],
    ['a pattern', scout('"house.*o*"'), /"house\.\*o\*" does not name one tool; it can mean 3/],
    ['a pattern that only one tool has', scout('"house.l*k"'), /there is no tool "house\.l\*k"; did you mean look\?/],
    [
      'a tool of an app without an account',
      scout('Mail.send'),
      /mail has no account yet, so it has no tool "Mail.send"/,
    ],
    ['an app without an account', scout('mail'), /mail has no account yet/],
    ['settings of an unknown tool', painted('pant: {}'), /tool_config.*there is no tool "pant"/],
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
  ])('R-tool-config: %s', async (_what, config, message) => {
    expect(await refusal(config)).toMatch(/^invalid_config: /);
    expect(await refusal(config)).toMatch(message);
    await start(scout('house.paint', ', tool_config: { house.paint: { colour: red } }'), async ({ granted }) =>
      expect(await granted()).toEqual([['house', ['paint']]]),
    );
  });
});

test('R-grants: a form that means the tool with several accounts is refused with their names', async () => {
  await start('', async ({ helve, admin }) => {
    for (const name of ['Home', 'Work']) {
      const { id } = await helve.plane.addConnection(admin, { toolkit: 'mail', name });
      await helve.plane.connect(admin, id, { credentials: { token: 't' }, check: false });
    }
  });
  for (const form of ['mail.send', 'send', 'MAIL_SEND', 'mail'])
    await expect(start(scout(form), async () => undefined)).rejects.toMatchObject({
      message: expect.stringMatching(`tools.*"${form}" does not name one tool; it can mean 2`),
      hint: 'Choose from home__send, work__send.',
    });
});

test('attack: settings that open a folder of Helve are refused with the place, and no agent is created', async () => {
  const opening = (path: string) =>
    scout('open_door', `, tool_config: { open_door: { path: ${JSON.stringify(path)} } }`);
  expect(await refusal(opening(`${dataDir}/**`))).toMatch(/^invalid_config: .*tool_config\.open_door: /);
  // A mistake in the tool is not one of the file.
  expect(await refusal(opening(''))).toBe('undefined: a mistake in the tool');
  await start('', async ({ workspaceId }) =>
    expect(await storedGrants({ dataDir, workspaceId, slug: 'scout' })).toEqual([]),
  );
  await start(opening('/somewhere/else/**'), async ({ granted }) =>
    expect(await granted()).toEqual([['house', ['open_door']]]),
  );
});

describe('tools of an external toolkit', () => {
  const declared = scout('look, far__fetch, far__gone');
  const far = (tools: readonly string[]) => ['far', tools] as const;

  test('R-grants: are granted when it has been read; one that it lacks is reported once', async () => {
    const late = lateProvider();
    await start(
      scout('look, far__fetch, far__more, far__gone'),
      async ({ granted, reported }) => {
        expect(await granted()).toEqual([['house', ['look']]]);
        late.offer('fetch');
        await expect.poll(granted).toContainEqual(far(['fetch']));
        late.offer('fetch', 'more');
        await expect.poll(granted).toContainEqual(far(['fetch', 'more']));
        late.offer('fetch', 'more', 'gone');
        await expect.poll(granted).toContainEqual(far(['fetch', 'more', 'gone']));
        expect(reported.map(({ message }) => message)).toEqual([
          expect.stringMatching(/far has no tool "far__more" so far/),
          expect.stringMatching(/far has no tool "far__gone" so far/),
        ]);
      },
      late,
    );
  });

  test('R-grants: are not granted by the name of their toolkit; that is reported once, with their names', async () => {
    const late = lateProvider();
    await start(
      scout('look, far'),
      async ({ granted, reported }) => {
        late.offer('fetch', 'more');
        await expect.poll(() => reported.length).toBe(1);
        late.offer('fetch', 'more', 'gone');
        expect(await granted()).toEqual([['house', ['look']]]);
        expect(reported).toMatchObject([
          {
            message: expect.stringMatching(/"far" does not name one tool; it can mean 2/),
            hint: 'Choose from far__fetch, far__more.',
          },
        ]);
      },
      late,
    );
  });

  test('R-grants: many that it lacks are reported quickly, although it has very many', async () => {
    const late = lateProvider();
    const numbered = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}_${at}`);
    await start(
      scout(numbered('far__gone', 400).join(', ')),
      async ({ reported }) => {
        const since = performance.now();
        late.offer(...numbered('fetch', 3_000));
        await expect.poll(() => reported.length, { timeout: 25_000 }).toBe(400);
        expect(performance.now() - since).toBeLessThan(20_000);
      },
      late,
    );
  });

  test('R-grants: a name that means one of them in another form is reported with that name', async () => {
    const late = lateProvider();
    await start(
      scout('look, "far.f*"'),
      async ({ reported }) => {
        late.offer('fetch', 'more');
        await expect.poll(() => reported.length).toBe(1);
        expect(reported).toMatchObject([
          { message: expect.stringMatching(/there is no tool "far\.f\*"; did you mean far__fetch\?/) },
        ]);
      },
      late,
    );
  });

  test('R-grants: stay granted while it cannot be read, as far as they are still declared', async () => {
    const late = lateProvider();
    const replaced = await start(
      declared,
      async ({ granted, events }) => {
        late.offer('fetch', 'gone');
        await expect.poll(granted).toContainEqual(far(['fetch', 'gone']));
        return (await events()).filter((type) => type === 'grants.replaced');
      },
      late,
    );
    await start(declared, async ({ granted, events }) => {
      expect(await granted()).toContainEqual(far(['fetch', 'gone']));
      expect((await events()).filter((type) => type === 'grants.replaced')).toHaveLength(replaced.length);
    });
    await start(scout('look, far__fetch'), async ({ granted }) =>
      expect(await granted()).toEqual(expect.arrayContaining([far(['fetch']), ['house', ['look']]])),
    );
    await start(scout('look'), async ({ granted }) => expect(await granted()).toEqual([['house', ['look']]]));
  });

  test('attack: a grant of which nothing is declared ends, and limits end with their tools', async () => {
    const limit = { properties: { to: { const: 'ada' } } };
    const limits = { fetch: limit, gone: limit };
    await start(scout('look'), async ({ workspaceId }) => {
      await storeGrant({ dataDir, workspaceId, slug: 'scout' }, { toolkit: 'far', tools: ['fetch', 'gone'], limits });
    });
    await start(scout('look, far__fetch'), async ({ workspaceId }) =>
      expect(await storedGrants({ dataDir, workspaceId, slug: 'scout' })).toContainEqual(
        expect.objectContaining({ toolkit: 'far', tools: ['fetch'], limits: { fetch: limit } }),
      ),
    );
    await start(scout('look, far__more'), async ({ granted }) =>
      expect(await granted()).toEqual([['house', ['look']]]),
    );
  });

  test('R-grants: stay granted in each form of their names', async () => {
    const wide = () => lateProvider({ slug: 'far_away' });
    const late = wide();
    const declared = scout('far_away.fetch_it, far-away__get_it');
    const granted = [['far_away', ['fetch_it', 'get_it']]];
    await start(
      declared,
      async (started) => {
        late.offer('fetch_it', 'get_it');
        await expect.poll(started.granted).toEqual(granted);
      },
      late,
    );
    await start(declared, async (started) => expect(await started.granted()).toEqual(granted), wide());
  });
});
