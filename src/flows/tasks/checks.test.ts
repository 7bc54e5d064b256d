import { afterEach, describe, expect, it } from 'vitest';
import type { Check } from '../../domain/task.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { newId } from '../../util/hash.js';

let helve: TestHelve;
afterEach(() => helve.close());

const good: Check = { kind: 'output', schema: { type: 'object' } };
const judge: Check = { kind: 'model', rubric: 'It is polite' };
const unusable: readonly (readonly [string, readonly Check[], RegExp])[] = [
  ['a command', [good, { kind: 'command', command: ['true'] }], /kind command cannot be run yet/],
  ['files', [{ kind: 'files', paths: ['a'] }, good], /kind files cannot be run yet/],
  ['a person', [good, { kind: 'person' }], /kind person cannot be run yet/],
  ['models alone', [judge, judge], /never judges alone/],
  ['a schema that cannot be honoured', [{ kind: 'output', schema: { type: 'nothing' } }], /type/],
];

describe('R-agent-worker: checks of an issue', () => {
  it.each(unusable)('%s: refused when the issue is filed and when it is changed', async (_, checks, message) => {
    helve = await createTestHelve();
    const { plane, admin } = helve;
    const refused = { code: 'invalid_input', message: expect.stringMatching(message) };
    await expect(plane.createIssue(admin, { title: 'It breaks', checks })).rejects.toMatchObject(refused);
    expect((await plane.listIssues(admin)).issues).toEqual([]);
    const { id } = await plane.createIssue(admin, { title: 'It breaks', checks: [good, judge] });
    await expect(plane.updateIssue(admin, id, { checks })).rejects.toMatchObject(refused);
    expect((await plane.getIssue(admin, id)).checks).toEqual([good, judge]);
    expect((await plane.updateIssue(admin, id, { checks: [good] })).checks).toEqual([good]);
  });

  it('an issue that has such a check all the same fails, and is not done without it', async () => {
    helve = await createTestHelve({
      models: { language: { modelId: 'busy', doGenerate: () => new Promise(() => {}) } },
    });
    const { plane, admin, storage, workspaceId } = helve;
    const { actors, issues } = storage.workspace(workspaceId);
    const work = async (checks: readonly Check[]) => {
      const { id } = await plane.createIssue(admin, { title: 'It breaks', checks: [good] });
      const issue = await issues.find(id);
      if (!issue) throw new Error('It was not stored');
      await issues.change({ ...issue, checks }, []);
      await plane.assignIssue(admin, id, { agent: 'tester' });
      let isTold = false;
      for await (const seen of plane.followIssue(admin, id, AbortSignal.timeout(20_000))) {
        if (seen.state === 'done' || seen.state === 'failed') return seen;
        if (seen.state !== 'executing' || isTold) continue;
        isTold = true;
        await actors.send({ to: { kind: 'issue', id }, id: newId(), event: { type: 'COMPLETED', result: {} } });
      }
      throw new Error('It never ended');
    };
    expect((await work([good])).state).toBe('done');
    expect(await work([good, { kind: 'command', command: ['true'] }])).toMatchObject({
      state: 'failed',
      lastError: { code: 'work_failed', message: expect.stringMatching(/^verify: .* command cannot be run yet/) },
    });
  });
});
