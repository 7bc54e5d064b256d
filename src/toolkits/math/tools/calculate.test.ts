/** The tool through a whole plane: its answer, its refusal, and what the record has of both. */
import { expect, test } from 'vitest';
import { createTestHelve } from '../../../testing/index.js';

test('R-calculate: answers exactly, and refuses what is not maths', async () => {
  const helve = await createTestHelve({ granted: ['calculate'] });
  const power = await helve.call('calculate', { expression: '2 ** 100' });
  expect(power).toMatchObject({ ok: true, output: { text: '1267650600228229401496703205376' } });
  const bomb = await helve.call('calculate', { expression: '9**9**9' });
  expect(bomb).toMatchObject({ ok: false, error: { code: 'invalid_input', hint: expect.any(String) } });
  const types = (await helve.audited()).slice(-4).map(({ type, body }) => `${type} ${body.status ?? ''}`.trim());
  expect(types).toEqual([
    'execution.started',
    'execution.finished ok',
    'execution.started',
    'execution.finished failed',
  ]);
  await helve.close();
});
