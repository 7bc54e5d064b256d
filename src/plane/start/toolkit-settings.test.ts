/**
 * `toolkits:` and `models:` of `helve.yaml`: checked at the start, by file, line and key; secrets come from the
 * environment.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool, type ToolkitDefinition } from '../../domain/tool.js';
import { createHelve, type Helve } from '../../helve.js';
import { createTestHelve } from '../../testing/index.js';

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
});
