/** Toolkits that are part of the plane itself are not apps of the marketplace. */
import { expect, test } from 'vitest';
import { createTestHelve } from '../../testing/index.js';

test('R-knowledge R-levels: databases, knowledge and memory are not in the marketplace, but their tools are available', async () => {
  const helve = await createTestHelve();
  const { apps } = await helve.plane.marketplace(helve.admin, { limit: 200 });
  const slugs = apps.map(({ slug }) => slug);
  for (const slug of ['database', 'knowledge', 'memory', 'results', 'discovery', 'platform'])
    expect(slugs).not.toContain(slug);
  expect(slugs).toContain('github');
  const tools = await helve.plane.tools(helve.admin, { all: true });
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['query_database', 'search_knowledge', 'recall']),
  );
  await helve.close();
});
