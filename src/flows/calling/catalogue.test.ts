/** A catalogue of very many tools is built with pauses for other work, and names mean the same in it. */
import { expect, test } from 'vitest';
import { testProviderTool } from '../../testing/provider-tool.js';
import { atOnce } from '../../util/slices.js';
import { createCatalogue } from './catalogue.js';

const tools = Array.from({ length: 500 }, (_, at) => ({
  tool: testProviderTool({ toolkit: `app-${at % 50}`, name: `act_${at}` }),
  provider: { kind: 'native' } as never,
}));

test('R-operate: a catalogue pauses at each tool while it is built', () => {
  const building = createCatalogue(tools);
  let pauses = 0;
  for (let step = building.next(); !step.done; step = building.next()) pauses += 1;
  expect(pauses).toBeGreaterThanOrEqual(tools.length);
});

test('R-registry: a form means the same whether the index of names was prepared or not', async () => {
  const [prepared, other] = [atOnce(createCatalogue(tools)), atOnce(createCatalogue(tools))];
  for (const form of ['app-7.act_7', 'act_7', 'app-7.act_8', 'nothing']) {
    await prepared.prepareMatch(form);
    const found = prepared.match(form).map(({ name }) => name);
    expect([form, found]).toEqual([form, other.match(form).map(({ name }) => name)]);
    expect([form, found.length]).toEqual([form, form === 'nothing' || form === 'app-7.act_8' ? 0 : 1]);
  }
});
