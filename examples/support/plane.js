// The plane of these examples: in memory, with one agent that may calculate and keep values. Everything else is real.
import { createHelve } from 'helve';

export const agent = { agent: 'assistant' };

export async function openPlane() {
  const helve = await createHelve({
    config: `
agents:
  - name: assistant
    tools: [calculate, key_value_set, key_value_get]
`,
  });
  await helve.setUp();
  return helve;
}

/** The turns of the scripted model: a wrong type, the corrected call (with keys that frameworks inject), an effect, an answer. */
export const turns = [
  { calls: [{ name: 'calculate', arguments: { expression: 42 } }] },
  { calls: [{ name: 'calculate', arguments: { expression: '6 * 7', threadId: 'thread-1', runId: 'run-1' } }] },
  { calls: [{ name: 'key_value_set', arguments: { key: 'answer', value: 42 } }] },
  { text: 'The answer is 42, and I have kept it.' },
];
