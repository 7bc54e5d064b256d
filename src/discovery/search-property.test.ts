/** Searches over the whole of a real catalogue. With the shipped weights. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createToolIndex } from './index.js';

const data = new URL('../../../shared/data/discovery/composio/', import.meta.url);
const rows = (name: string) =>
  readFileSync(new URL(name, data), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

it.skipIf(!existsSync(data))(
  'R-abstain: over a real catalogue the right tool is found and questions that no tool answers are declined (skipped where ../shared/data is absent)',
  async () => {
    const all = rows('tools.jsonl').map((row) => ({ ...row, toolkit: row.app, toolkitName: row.app_name }));
    const real = await createToolIndex(all);
    const queries = rows('queries.dev.jsonl').filter((_: unknown, at: number) => at % 6 === 0);
    const results = queries.map(({ text }: { text: string }) => real.search(text, { limit: 5 }));
    const found = results.filter(({ hits }, at) => hits.some(({ id }) => queries[at].relevant.includes(id)));
    expect(found.length / queries.length).toBeGreaterThan(0.85);
    expect(results.filter(({ abstained }) => abstained).length / queries.length).toBeLessThan(0.03);
    const questions = [
      'What is the capital of France?',
      'Why is the sky blue?',
      'Write a poem about autumn leaves',
      'How do I boil an egg?',
      'Tell me a joke',
      'Water my plants',
      'Who wrote Pride and Prejudice?',
    ];
    const answers = questions.map((question) => real.search(question).answer);
    // A few words of a question are always in some of thousands of tools: seldom it is only unlikely that one fits.
    expect(answers).not.toContain('these');
    expect(answers.filter((answer) => answer === 'nothing').length).toBeGreaterThanOrEqual(5);
  },
  60_000,
);
