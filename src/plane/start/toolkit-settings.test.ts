/**
 * `toolkits:` and `models:` of `helve.yaml`: checked at the start, by file, line and key; secrets come from the
 * environment.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { HelveError } from '../../domain/errors.js';
import { defineTool, type ToolkitDefinition } from '../../domain/tool.js';
import { createHelve, type Helve } from '../../helve.js';
import { createTestHelve } from '../../testing/index.js';
import { lateProvider } from './testing/late-provider.js';

const settingsSchema = z.strictObject({
  server: z.strictObject({ host: z.string(), port: z.int().default(25), password: z.string().optional() }).optional(),
});

/** Returns the settings that it was given. */
const mirror: ToolkitDefinition = {
  slug: 'mirror',
  title: 'Mirror',
  description: 'Shows its settings.',
  category: 'test',
  load: async () => [
    defineTool({
      name: 'show_settings',
      title: 'Show the settings',
      description: 'Shows the settings.',
      inputSchema: z.strictObject({}),
      settingsSchema,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      capabilities: ['show settings'],
      execute: async (_, { settings }) => ({ settings }),
    }),
  ],
};

const opened: Helve[] = [];
const toolkits = [mirror];

afterEach(async () => {
  delete process.env.HELVE_TEST_PASSWORD;
  for (const helve of opened.splice(0)) await helve.close();
});

describe('R-tool-config: the settings of the operator for a toolkit', () => {
  test('reaches its tools with defaults filled in, and its secrets from the environment', async () => {
    process.env.HELVE_TEST_PASSWORD = 'hush';
    const config = `toolkits:
  mirror:
    server: { host: mail.internal, password: "\${HELVE_TEST_PASSWORD}!" }
`;
    const helve = await createTestHelve({ toolkits, config });
    opened.push(helve);
    const server = { host: 'mail.internal', port: 25, password: 'hush!' };
    expect(await helve.call('show_settings')).toMatchObject({ ok: true, output: { settings: { server } } });
    // The tool returns the password, so it would be in its finish row unless it is redacted there.
    const record = JSON.stringify(await helve.audited());
    expect(record).toContain('mail.internal');
    expect(record).not.toContain('hush');
  });

  test.each([
    ['an unknown toolkit', 'toolkits:\n  miror: {}\n', 'helve.yaml:2: toolkits.miror: there is no toolkit miror; did'],
    ['an unknown key', 'toolkits:\n  mirror:\n    sever: {}\n', 'helve.yaml:3: toolkits.mirror.sever: no such key'],
    [
      'an unknown key inside',
      'toolkits:\n  mirror:\n    server:\n      host: a\n      user: b\n',
      'helve.yaml:5: toolkits.mirror.server.user: no such key',
    ],
    [
      'a value of the wrong kind',
      'toolkits:\n  mirror:\n    server: { host: a, port: high }\n',
      'helve.yaml:3: toolkits.mirror.server.port: ',
    ],
    ['a missing key', 'toolkits:\n  mirror:\n    server: { port: 2 }\n', 'helve.yaml:3: toolkits.mirror.server'],
    [
      'a variable that is not set',
      `toolkits:\n  mirror:\n    server: { host: "\${HELVE_TEST_PASSWORD}" }\n`,
      'helve.yaml:3: toolkits.mirror.server.host: the environment variable HELVE_TEST_PASSWORD is not set',
    ],
    ['a model without an address', 'models:\n  language: { model: x }\n', 'helve.yaml:2: models.language.base_url: '],
  ])('%s stops the start and is named by file, line and key', async (_what, config, message) => {
    const error: Error = await createHelve({ toolkits, config }).then(
      (helve) => helve.close().then(() => new Error('it started')),
      (thrown) => thrown,
    );
    expect(error).toMatchObject({ code: 'invalid_config' });
    expect(error.message).toContain(message);
  });

  test.each([
    ['a mistake in its code', new Error('no such module')],
    [
      'an error of another kind with a place',
      Object.assign(new Error('no'), { details: { path: '/a', message: 'b' } }),
    ],
    ['a refusal without a place', new HelveError('conflict', 'no', { details: { toolkit: 'mirror' } })],
  ])('a toolkit that cannot be loaded stops the start with %s, as it is', async (_what, error) => {
    const broken = { ...mirror, load: () => Promise.reject(error) };
    const config = 'toolkits:\n  mirror: {}\n';
    await expect(createHelve({ toolkits: [broken], config })).rejects.toBe(error);
  });

  test('settings of an external toolkit do not make the start wait for it', async () => {
    const providers = [lateProvider().provider];
    opened.push(await createHelve({ providers, config: 'toolkits:\n  far: { page_size: 10 }\n' }));
  });
});
