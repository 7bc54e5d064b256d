/**
 * docs/start.md and docs/toolkits.md, word for word. The model is scripted; the AI SDK, its HTTP and MCP, and the service with its
 * accounts are real.
 */
import { expect, test } from 'vitest';
import { startScriptedModel } from '../../examples/support/scripted-model.js';
import { freePort, startWalk } from './walk.js';

test('R-operate: who follows docs/start.md word for word has an agent with two accounts, and a call that a person approved', async () => {
  const customer = { name: 'america__create_customer', arguments: { email: 'ada@example.com' } };
  const lists = ['europe__list_customers', 'america__list_customers'].map((name) => ({ name, arguments: {} }));
  const model = await startScriptedModel([{ calls: lists }, { calls: [customer] }, { text: 'Asked for.' }]);
  const walk = await startWalk('docs/start.md', { OPENAI_API_KEY: 'scripted', OPENAI_BASE_URL: `${model.url}/v1` });
  const servicePort = await freePort();
  const customers = async (): Promise<string[]> => {
    const headers = { authorization: 'Bearer sk_test_america123' };
    const answer = await (await fetch(`http://127.0.0.1:${servicePort}/v1/customers`, { headers })).json();
    return answer.data.map(({ email }: { email: string }) => email);
  };
  try {
    expect(walk.blocks).toHaveLength(9);
    let said = '';
    for (const block of walk.blocks) {
      const waiting = block.includes('approve ID') ? await walk.run('npx helve approvals') : '';
      if (waiting !== '') expect(await customers()).toEqual([]);
      const id = /^[0-9a-f-]{36}/m.exec(waiting)?.[0] ?? 'ID';
      said = await walk.follow(block.replaceAll('8011', servicePort).replace('approve ID', `approve ${id}`));
    }
    expect(await customers()).toEqual(['ada@example.com']);
    expect(said).toMatch(/approval\.decided[\s\S]* rows, unbroken/);
    // The approval was for one call.
    expect(await walk.run('npx helve approvals')).not.toContain('america');
    await walk.run('node agent.mjs');
    expect(await customers()).toEqual(['ada@example.com']);
    expect(await walk.run('npx helve approvals')).toContain('america');
  } finally {
    await Promise.all([walk.end(), model.stop()]);
  }
}, 240_000);

test('R-operate: who follows docs/toolkits.md word for word has a toolkit whose tests pass, and an agent that calls it', async () => {
  const walk = await startWalk('docs/toolkits.md');
  try {
    const said: string[] = [];
    for (const block of walk.blocks) said.push(await walk.follow(block));
    expect(said.some((text) => /# pass 2\b[\s\S]*# fail 0\b/.test(text))).toBe(true);
    expect(said.at(-1)).toContain('{"words":3}');
    // The tests can fail.
    await walk.run("sed -i 's/=> word !/=> word =/' weather/tools/count-words.js");
    await expect(walk.run('node --test --test-reporter=tap weather/toolkit.test.js')).rejects.toThrow('# fail 1');
    await expect(walk.run('npx helve toolkits new weather')).rejects.toThrow('weather already exists');
    await expect(walk.run('npx helve toolkits new Wetter-Dienst')).rejects.toThrow('cannot be the name of a toolkit');
    await expect(walk.run('npx helve serve --port 0 --data other --toolkit package.json')).rejects.toThrow(
      'package.json',
    );
  } finally {
    await walk.end();
  }
}, 240_000);
