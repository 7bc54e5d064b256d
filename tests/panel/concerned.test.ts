/** What the panel asks again when something happens. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { en } from '../../panel/src/messages/en.js';
import { findConcerned } from '../../panel/src/server/concerned.js';

/** The events that no page shows the effect of. */
const unseen = ['request.refused', 'trigger.subscribed', 'trigger.unsubscribed'];

test('R-panel: every kind of event asks again for something that the panel reads', () => {
  const types = Object.keys(en.events);
  expect(types).toContain('notification_channel.created');
  expect(types.filter((type) => findConcerned(type).length === 0).sort()).toEqual(unseen);
});

test('R-panel: an event of a type that the panel does not know asks for nothing', () => {
  for (const type of ['', 'constructor.called', '__proto__.set', 'execution_other.started'])
    expect(findConcerned(type)).toEqual([]);
});

test('R-panel: what an event asks again is named as the panel reads it', async () => {
  const folder = path.join(import.meta.dirname, '../../panel/src');
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => /\.tsx?$/.test(file) && !file.endsWith('concerned.ts'),
  );
  const code = (await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))).join('\n');
  const named = [...new Set(Object.keys(en.events).flatMap((type) => findConcerned(type)))];
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((key) => !code.includes(`'${key}`))).toEqual([]);
});
