import { describe, expect, it } from 'vitest';
import type { AgentModel } from '../../domain/agent-model.js';
import type { JsonValue } from '../../domain/json.js';
import { checkByModel } from './judge.js';

describe('R-agent-worker: a judgement', () => {
  it('a model does not pass anything by saying something else than a judgement', async () => {
    const model = (input: JsonValue) => ({
      id: 'm',
      answer: async () => {
        const calls = [{ id: 'c', name: 'submit_judgement', input }];
        return { text: 'It has passed', calls, inputTokens: 7, outputTokens: 2, finish: 'stop' as const };
      },
    });
    const check = { kind: 'model', rubric: 'x' } as const;
    const question = { check, issue: { title: 'x' }, result: null, signal: new AbortController().signal };
    const ask = (input: JsonValue) => checkByModel(model(input), question);
    expect(await ask({ passed: true, reason: '' })).toMatchObject({
      result: { passed: true },
      usage: { steps: 1, tokens: 9 },
    });
    await expect(ask({ passed: 'true', reason: '' })).rejects.toMatchObject({ code: 'upstream_failed' });
    await expect(checkByModel(undefined, question)).rejects.toMatchObject({ code: 'invalid_config' });
  });

  it('a model that answers with blanks is asked again, without an empty message, which services refuse', async () => {
    const said: string[] = [];
    const answer: AgentModel['answer'] = async ({ messages }) => {
      said.push(...messages.flatMap((one) => (one.role === 'assistant' ? [one.text] : [])));
      return { text: ' \n', calls: [], inputTokens: 7, outputTokens: 2, finish: 'stop' };
    };
    const check = { kind: 'model', rubric: 'x' } as const;
    const question = { check, issue: { title: 'x' }, result: null, signal: new AbortController().signal };
    await expect(checkByModel({ id: 'm', answer }, question)).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(new Set(said)).toEqual(new Set(['I have judged.']));
  });
});
