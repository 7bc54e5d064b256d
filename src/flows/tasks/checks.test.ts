import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Check } from '../../domain/task.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';

let helve: TestHelve;
afterEach(() => helve.close());

const good: Check = { kind: 'output', schema: { type: 'object' } };
const judge: Check = { kind: 'model', rubric: 'It is polite' };
const unusable: readonly (readonly [string, readonly Check[], RegExp])[] = [
  ['a command without a folder', [good, { kind: 'command', command: ['true'] }], /there is no data folder/],
  ['files without a folder', [{ kind: 'files', paths: ['a'] }, good], /there is no data folder/],
  ['somebody who is not there', [good, { kind: 'person', who: 'nobody@example.com' }], /There is no active person/],
  ['models alone', [judge, judge], /cannot be the only check/],
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

  it('a glob that leaves the folder, or an invalid pattern, is refused where there is a folder', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'helve-checks-'));
    helve = await createTestHelve({ dataDir });
    const file = (check: Omit<Extract<Check, { kind: 'files' }>, 'kind'>) =>
      helve.plane.createIssue(helve.admin, { title: 'It breaks', checks: [{ kind: 'files', ...check }] });
    for (const paths of [['/etc/passwd'], ['a/../../b'], ['ok', '..']])
      await expect(file({ paths }), String(paths)).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(file({ paths: ['a'], pattern: '(' })).rejects.toMatchObject({ message: expect.stringMatching(/RE2/) });
    expect(await file({ paths: ['**/*.ts'], pattern: 'a{2}' })).toMatchObject({ state: 'idle' });
    rmSync(dataDir, { recursive: true });
  });

  it('a person is kept by id', async () => {
    helve = await createTestHelve();
    const checks: Check[] = [{ kind: 'person', who: helve.admin.id }];
    expect((await helve.plane.createIssue(helve.admin, { title: 'It breaks', checks })).checks).toEqual(checks);
  });
});
