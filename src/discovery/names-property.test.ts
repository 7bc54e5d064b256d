import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createToolIndex, type DiscoveredTool } from './index.js';

const file = new URL('../../../shared/data/discovery/composio/tools.jsonl', import.meta.url);
const title = 'R-registry: real names, whole and mistyped (skipped where ../shared/data is absent)';
test.skipIf(!existsSync(file))(title, async () => {
  const rows = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const tools = rows.map((row): DiscoveredTool => {
    const { id, app, app_name: toolkitName, name } = JSON.parse(row);
    return { id, toolkit: app.toLowerCase(), toolkitName, name };
  });
  const index = await createToolIndex(tools);
  const search = (request: string) => index.search(request).hits.map(({ id }) => id);
  const sample = tools.filter((_, at) => at % 37 === 0).map(({ id }) => id);
  const isFound = (id: string) => search(`use ${id}`)[0] === id;
  const withoutMiddle = (id: string) => id.slice(0, id.length >> 1) + id.slice((id.length >> 1) + 1);
  const isFoundMistyped = (id: string) => search(withoutMiddle(id)).slice(0, 3).includes(id);
  expect(sample.filter((id) => !isFound(id))).toEqual([]);
  expect(sample.filter(isFoundMistyped).length / sample.length).toBeGreaterThanOrEqual(0.99);
});
