/** Which toolkits are read for the names in a policy, and which tools a text names. */
import { expect, test } from 'vitest';
import { createCatalogue } from '../../../flows/calling/index.js';
import { testProviderTool } from '../../../testing/provider-tool.js';
import { atOnce } from '../../../util/slices.js';
import { knownNames } from './known-names.js';

/** By toolkit: whether it is one of very many, and its tools. */
const toolkits = {
  mail: { onDemand: false, tools: ['send'] },
  huge: { onDemand: true, tools: ['fetch', 'burn'] },
  used: { onDemand: true, tools: ['list', 'drop'] },
};
const tool = (toolkit: string, name: string) => testProviderTool({ toolkit, name });

/** The names for these texts, where a person has connected an account that offers only `list` of `used`. */
async function known(...texts: string[]) {
  const read: string[] = [];
  const registry = {
    toolkits: async () => Object.entries(toolkits).map(([slug, { onDemand }]) => ({ slug, onDemand })),
    async tools(slug: keyof typeof toolkits) {
      read.push(slug);
      return toolkits[slug].tools.map((name) => ({ tool: tool(slug, name) }));
    },
  };
  const connections = [{ id: 'c', slug: 'mine' }] as never;
  const listed = { tool: tool('used', 'list'), provider: { kind: 'mcp' } as never, connections };
  const catalogue = atOnce(createCatalogue([listed]));
  const names = await knownNames(registry as never, { catalogue, workspaceId: 'w' }, texts);
  return { names, read };
}
const of = (toolkit: string, name: string) => ({ toolkit, name });

test('R-approval: of very many toolkits those in use are read, and those that a text may mean', async () => {
  expect((await known('send')).read).toEqual(['mail', 'used']);
  for (const text of ['huge.burn', 'HUGE_BURN', 'huge__burn', 'composio-huge_burn', 'huge']) {
    const { names, read } = await known('send', text);
    expect([text, read]).toEqual([text, ['mail', 'huge', 'used']]);
    expect(names.toolsOf(text)).toEqual(text === 'huge' ? [] : [of('huge', 'burn')]);
  }
});

test('attack: a tool that no connected account offers is named all the same', async () => {
  const { names } = await known();
  for (const [text, toolkit, name] of [
    ['send', 'mail', 'send'],
    ['drop', 'used', 'drop'],
    ['mine__list', 'used', 'list'],
  ] as const)
    expect(new Set(names.toolsOf(text).map((id) => `${id.toolkit}.${id.name}`))).toEqual(
      new Set([`${toolkit}.${name}`]),
    );
  expect(names.toolsOf('nothing')).toEqual([]);
});
