/** The storage contract's part about issues, their comments and tool configs. */
import { expect, it } from 'vitest';
import type { Recipe } from '../domain/recipe.js';
import type { WorkspaceStorage } from '../domain/storage.js';
import type { Issue } from '../domain/task.js';
import type { TaskSource } from '../domain/task-source.js';
import { type ContractParts, draft, time } from './storage-fixtures.js';

const by = { kind: 'user', id: 'u', name: 'Ada' } as const;

export function issuesContract({ under, one, two }: ContractParts): void {
  const issue = (more: Partial<Issue> = {}): Issue => ({
    id: 'github:acme/shop#12',
    workspaceId: one().workspaceId,
    title: 'It breaks \0',
    labels: ['bug'],
    checks: [],
    createdBy: by,
    createdAt: time(1),
    updatedAt: time(1),
    ...more,
  });

  /** How many rows the record of a workspace got since it was made. */
  const recorded = async ({ audit }: WorkspaceStorage) => (await audit.head()).seq - 1;

  it('keeps an issue within its workspace, once, with its row of the record', async () => {
    expect(await one().issues.insert(issue({ body: 'text' }), [draft()])).toBe(true);
    expect(await one().issues.insert(issue({ title: 'Other' }), [draft()])).toBe(false);
    expect(await one().issues.find(issue().id)).toEqual(issue({ body: 'text' }));
    expect(await two().issues.find(issue().id)).toBeUndefined();
    expect(await recorded(one())).toBe(1);
    expect(await one().issues.listById([issue().id, 'none'])).toHaveLength(1);
    expect(await two().issues.listById([issue().id])).toEqual([]);
    expect(await one().issues.listById([])).toEqual([]);
  });

  it('keeps recipes by their names, and overwrites none that was changed meanwhile', async () => {
    const recipe = (version: string, name = 'triage'): Recipe => ({
      name,
      title: 'Triage',
      steps: [{ prompt: 'Look', tools: [{ name: 'math.calculate', toolkit: 'math', tool: 'calculate' }] }],
      version,
      updatedAt: time(1),
      updatedBy: by,
    });
    expect(await one().recipes.put(recipe('1'), undefined, [draft()])).toBe(true);
    expect(await two().recipes.put(recipe('of two'), undefined, [])).toBe(true);
    expect(await one().recipes.put(recipe('2'), undefined, [draft()])).toBe(false);
    expect(await one().recipes.put(recipe('2'), '1', [draft()])).toBe(true);
    expect(await one().recipes.put(recipe('3'), '1', [draft()])).toBe(false);
    expect(await one().recipes.put(recipe('x', 'absent'), '1', [draft()])).toBe(false);
    expect(await one().recipes.put(recipe('1', 'a'), undefined, [draft()])).toBe(true);
    expect(await one().recipes.list()).toEqual([recipe('1', 'a'), recipe('2')]);
    expect(await one().recipes.remove('triage', [draft()])).toBe(true);
    expect(await one().recipes.remove('triage', [draft()])).toBe(false);
    expect(await one().recipes.find('triage')).toBeUndefined();
    expect(await two().recipes.find('triage')).toEqual(recipe('of two'));
    expect(await recorded(one())).toBe(4);
  });

  it('changes an issue that exists, and none of another workspace', async () => {
    await one().issues.insert(issue({ body: 'text' }), []);
    const changed = issue({ title: 'Better', updatedAt: time(2) });
    expect(await one().issues.change(changed, [draft()])).toBe(true);
    expect(await one().issues.find(issue().id)).toEqual(changed);
    expect(await two().issues.change(changed, [draft()])).toBe(false);
    expect(await recorded(two())).toBe(0);
    const late = issue({ title: 'Late', updatedAt: time(3) });
    expect(await one().issues.change(late, [draft()], time(1))).toBe(false);
    expect(await one().issues.find(issue().id)).toEqual(changed);
    expect(await one().issues.change(late, [draft()], time(2))).toBe(true);
    expect(await recorded(one())).toBe(2);
  });

  it('finds issues by words of their title or text, as they are at present, in their workspace', async () => {
    const ids = async (text: string, { actors } = one()) =>
      (await actors.list({ text })).actors.map(({ actor }) => actor.id);
    for (const workspace of [one(), two()])
      await workspace.actors.insert(
        { kind: 'issue', id: issue().id },
        { value: 'idle', context: {}, status: 'active' },
      );
    await one().issues.insert(issue({ title: 'It BREAKS', body: 'At 100%_' }), []);
    for (const text of ['breaks', 'AT 100', '100%_', 's\nat'])
      expect([text, await ids(text)]).toEqual([text, [issue().id]]);
    for (const text of ['1%0', 'at_100', 'bug']) expect([text, await ids(text)]).toEqual([text, []]);
    expect(await ids('breaks', two())).toEqual([]);
    await one().issues.change(issue({ title: 'It works' }), []);
    expect([await ids('breaks'), await ids('WORKS')]).toEqual([[], [issue().id]]);
  });

  it('keeps comments in their order, the newest ones', async () => {
    await one().issues.insert(issue(), []);
    for (const id of ['a', 'b', 'c'])
      expect(await one().issues.comment(issue().id, { id, author: by, text: id, createdAt: time(3) }, [draft()])).toBe(
        true,
      );
    const again = { id: 'a', author: by, text: 'again', createdAt: time(3) };
    expect(await one().issues.comment(issue().id, again, [draft()])).toBe(false);
    expect(await recorded(one())).toBe(3);
    expect((await one().issues.comments(issue().id, 2)).map(({ text }) => text)).toEqual(['b', 'c']);
    expect(await one().issues.findComment(issue().id, 'a')).toBe(true);
    expect(await two().issues.findComment(issue().id, 'a')).toBe(false);
    expect(await two().issues.comments(issue().id, 9)).toEqual([]);
    const late = { id: 'd', author: by, text: 'd', createdAt: time(3) };
    expect(await two().issues.comment(issue().id, late, [draft()])).toBe(false);
    expect(await recorded(two())).toBe(0);
  });

  it('keeps one tool config for each thing of a level', async () => {
    const config = { level: 'repo', id: 'r', config: { disabled: ['x'] }, updatedAt: time(1), updatedBy: by } as const;
    const next = { ...config, config: { enabled: ['y'] } };
    const { issues } = one();
    expect(await issues.putConfig(next, config, [draft()])).toBe(false);
    expect(await issues.putConfig(config, undefined, [draft()])).toBe(true);
    expect(await issues.putConfig(next, undefined, [draft()])).toBe(false);
    expect(await issues.putConfig(next, { ...config, updatedAt: time(2) }, [draft()])).toBe(false);
    expect(await issues.putConfig(next, next, [draft()])).toBe(false);
    expect(await recorded(one())).toBe(1);
    expect(await issues.putConfig(next, config, [draft()])).toBe(true);
    expect(await issues.findConfig('repo', 'r')).toEqual(next);
    expect(await one().issues.findConfig('org', 'r')).toBeUndefined();
    expect(await two().issues.findConfig('repo', 'r')).toBeUndefined();
  });

  it('keeps task sources within their workspace, one for each scope, and finds them for a delivery', async () => {
    const source = (more: Partial<TaskSource> = {}): TaskSource => {
      const facts = { provider: 'github', scope: 'Acme/Shop', connectionId: 'c', checks: [], createdBy: by } as const;
      return { id: 's', createdAt: time(1), ...facts, ...more };
    };
    const insert = (into: WorkspaceStorage, one: TaskSource) =>
      into.change([draft()], (tables) => tables.insertTaskSource(one));
    await insert(one(), source());
    await expect(insert(one(), source({ id: 't', scope: 'acme/shop' }))).rejects.toMatchObject({ code: 'conflict' });
    await insert(two(), source({ scope: 'acme' }));
    expect(await one().taskSources.list()).toEqual([source()]);
    expect(await two().taskSources.find('s')).toEqual(source({ scope: 'acme' }));
    expect(await two().taskSources.find('t')).toBeUndefined();
    const found = await under().storage.system.findTaskSources('github', ['acme', 'ACME/shop']);
    expect(found.map(({ workspaceId, source: { scope } }) => [workspaceId, scope]).toSorted()).toEqual(
      [
        [one().workspaceId, 'Acme/Shop'],
        [two().workspaceId, 'acme'],
      ].toSorted(),
    );
    expect(await under().storage.system.findTaskSources('linear', ['acme'])).toEqual([]);
    expect(await under().storage.system.findTaskSources('github', [])).toEqual([]);
    await insert(one(), source({ id: 'l', provider: 'linear', scope: 'ENG' }));
    expect(await under().storage.system.findTaskSources('linear', ['eng'])).toEqual([]);
    expect(await under().storage.system.findTaskSources('linear', ['ENG'])).toHaveLength(1);
    expect(await one().change([draft()], (tables) => tables.deleteTaskSource('s'))).toBe(true);
    expect(await one().change([draft()], (tables) => tables.deleteTaskSource('s'))).toBe(false);
    expect(await under().storage.system.findTaskSources('github', ['acme'])).toHaveLength(1);
  });
}
