/** The definitions of many servers are pinned when they are first seen at the same time. */
import { expect, test } from 'vitest';
import { createTestHelve } from '../../testing/index.js';
import { testProviderTool } from '../../testing/provider-tool.js';
import { pinUnknown } from './build-catalogue.js';
import { createConfigurationCache } from './configurations.js';

test('R-mcp-client: the definitions of thirty servers are pinned at the same time, each once', async () => {
  const helve = await createTestHelve({ nativeToolkits: [] });
  const { storage, workspaceId } = helve;
  const configurations = createConfigurationCache(storage, () => undefined);
  const parts = { configurations, storage, now: () => new Date() };
  const configuration = await configurations.getFresh(workspaceId);
  const pin = (toolkit: string): Promise<void> => {
    const tool = { ...testProviderTool({ toolkit, name: 'look' }), definition: { hash: toolkit, text: '{}' } };
    return pinUnknown(parts, configuration, [{ tool }]);
  };
  const slugs = Array.from({ length: 30 }, (_, number) => `server-${number}`);
  await Promise.all([...slugs, ...slugs].map(pin));
  const { pins } = await configurations.getFresh(workspaceId);
  expect(pins.map(({ hash }) => hash).toSorted()).toEqual(slugs.toSorted());
  const pinned = (await helve.audited()).filter(({ type }) => type === 'definition.pinned');
  expect(pinned).toHaveLength(slugs.length);
  configurations.close();
  await helve.close();
});
