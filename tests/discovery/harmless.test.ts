/** No request that asks for nothing destructive has a destructive tool first: over all bundled tools, and apps of the catalogue. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createToolIndex, type DiscoveredTool } from '../../src/discovery/index.js';
import { nativeToolkits } from '../../src/toolkits/index.js';

const destructive = /(?:^|_)(?:delete|remove|destroy|erase|clear|drop|trash|purge|discard)(?:_|$)/;
const catalogue = new URL('../../../shared/data/discovery/composio/tools.jsonl', import.meta.url);
/** Nothing else is found for `api`, a stop word; and the first verb of the other name is `email`. */
const known = ['NGROK_DELETE_API_KEY', 'ZEROBOUNCE_EMAIL_FINDER_DELETE_FILE'];
/** Every so many apps. */
const step = 9;

/** What people ask about a thing without asking to destroy it. */
const asks = (thing: string) => [
  thing,
  `${thing}s?`,
  `show me the ${thing}s of this week`,
  `create a ${thing} for tomorrow`,
  `is there a ${thing} that Anna wrote?`,
  `update the ${thing}, do not delete it`,
  `¿qué ${thing} hay?`,
];

/** The things that the destructive tools of a toolkit destroy: `delete_section` is about sections. */
const thingsOf = (tools: readonly DiscoveredTool[]) => [
  ...new Set(
    tools
      .filter(({ name }) => destructive.test(name))
      .map(({ name }) => (name.split(destructive)[1] ?? '').split('_').filter((word) => word.length > 2)[0] ?? '')
      .filter((word) => word !== ''),
  ),
];

async function check(tools: readonly DiscoveredTool[]): Promise<{ asked: number; wrong: string[] }> {
  const index = await createToolIndex(tools);
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  const byToolkit = new Map<string, DiscoveredTool[]>();
  for (const tool of tools) byToolkit.set(tool.toolkit, [...(byToolkit.get(tool.toolkit) ?? []), tool]);
  const wrong: string[] = [];
  let asked = 0;
  for (const [toolkit, own] of byToolkit) {
    if (own.every(({ name }) => destructive.test(name))) continue;
    for (const text of thingsOf(own).slice(0, 5).flatMap(asks)) {
      asked += 1;
      const first = byId.get(index.search(text, { toolkits: [toolkit], limit: 1 }).hits[0]?.id ?? '');
      if (first !== undefined && destructive.test(first.name)) wrong.push(`${text}: ${first.id}`);
    }
  }
  return { asked, wrong };
}

const readBundled = async (): Promise<DiscoveredTool[]> => {
  const lists = await Promise.all(
    nativeToolkits.map(async ({ slug, title, load }) =>
      (await load()).map(({ name, description, inputSchema }) => ({
        id: `${slug}/${name}`,
        toolkit: slug,
        toolkitName: title,
        name,
        description,
        parameters: inputSchema as unknown as Readonly<Record<string, unknown>>,
      })),
    ),
  );
  return lists.flat();
};

describe('R-capability: harmless before destructive', () => {
  it('R-capability: over all bundled tools', async () => {
    const tools = await readBundled();
    const { asked, wrong } = await check(tools);
    expect(asked).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
    // The control: who asks for it gets it.
    const index = await createToolIndex(tools);
    const deleting = tools.filter(({ name }) => destructive.test(name));
    const found = deleting.filter(({ id, name, toolkit }) =>
      index.search(name.replaceAll('_', ' '), { toolkits: [toolkit], limit: 3 }).hits.some((hit) => hit.id === id),
    );
    expect(found.length / deleting.length).toBeGreaterThan(0.9);
  });

  it.skipIf(!existsSync(catalogue))(
    `R-capability: over apps of the catalogue (${existsSync(catalogue) ? 'one of nine' : 'no ../shared/data/discovery'})`,
    async () => {
      const all = readFileSync(catalogue, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const apps = [...new Set(all.map(({ app }) => app))].filter((_, at) => at % step === 0);
      const tools = all
        .filter(({ app }) => apps.includes(app))
        .map(
          (row): DiscoveredTool => ({
            id: row.id,
            toolkit: row.app.toLowerCase(),
            toolkitName: row.app_name,
            name: row.name.slice(row.app.length + 1).toLowerCase(),
            description: [row.title, row.description].filter(Boolean).join('. '),
          }),
        );
      const { asked, wrong } = await check(tools);
      expect(asked).toBeGreaterThan(300);
      const unexplained = wrong.filter((one) => !known.some((id) => one.endsWith(id)));
      expect(unexplained).toEqual([]);
    },
  );
});
