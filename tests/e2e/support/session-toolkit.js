// For `helve serve --toolkit`: tools whose effects a test sees as files in SESSION_TEST_FOLDER.
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { defineTool, defineToolkit } from 'helve';
import { z } from 'zod';

const folder = process.env.SESSION_TEST_FOLDER ?? '';
const annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
const facts = { annotations, capabilities: ['test sessions'] };
const note = (file, text) => appendFileSync(join(folder, file), `${text}\n`);

async function waitForFile(name, signal) {
  while (!existsSync(join(folder, name))) await delay(20, undefined, { signal });
}

const writeNote = defineTool({
  ...facts,
  name: 'write_note',
  title: 'Write a note',
  description: 'Writes a line after a person has agreed',
  highRisk: true,
  inputSchema: z.object({ text: z.string() }),
  async execute({ text }) {
    note('notes', text);
    return 'written';
  },
});

const waitFor = defineTool({
  ...facts,
  name: 'wait_for',
  title: 'Wait for a file',
  description: 'Waits for a file; cuts its stream before if it is told to',
  inputSchema: z.object({ file: z.string(), cut: z.boolean() }),
  async execute({ file, cut }, { signal, client }) {
    note('started', file);
    if (cut) client?.disconnect?.();
    try {
      await waitForFile(file, signal);
    } catch (error) {
      note('cancelled', file);
      throw error;
    }
    await client?.log('info', `found ${file}`);
    return `found ${file}`;
  },
});

const askWhere = defineTool({
  ...facts,
  name: 'ask_where',
  title: 'Ask where',
  description: 'Asks the client for a place, then for another one',
  inputSchema: z.object({}),
  async execute(_, { client }) {
    note('asked', 'once');
    const where = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] };
    const first = await client.elicit('Where from?', where);
    const second = await client.elicit('Where to?', where);
    note('journeys', `${first.content?.place} ${second.content?.place}`);
    return `from ${first.content?.place} to ${second.content?.place}`;
  },
});

export const sessions = defineToolkit({
  slug: 'session_test',
  title: 'Session test',
  description: 'Tools of a test.',
  category: 'test',
  load: async () => [writeNote, waitFor, askWhere],
});
