/** The names that a reader of the record may write. */
import { expect, test } from 'vitest';
import { createTestHelve } from '../../testing/index.js';

test('R-audit: what somebody did is found by their name or id, in the list and in the export', async () => {
  const helve = await createTestHelve();
  const { plane, admin } = helve;
  try {
    const { user } = await plane.createUser(admin, { name: 'Mia', role: 'admin' });
    const mia = { ...admin, id: user.id, name: 'Mia' };
    await plane.createAgent(mia, { slug: 'scout' });
    const rows = (await plane.audit(admin, { actorId: 'Mia' })).map(({ type }) => type);
    expect(rows).toContain('agent.created');
    expect((await plane.audit(admin, { actorId: user.id })).map(({ type }) => type)).toEqual(rows);
    const exported: string[] = [];
    for await (const { type } of plane.exportAudit(admin, { actorId: 'Mia' })) exported.push(type);
    expect(exported).toEqual(rows);
    expect(await plane.audit(admin, { actorId: 'nobody' })).toEqual([]);
    const mistyped = { code: 'not_found', hint: 'Did you mean scout?' };
    await expect(plane.audit(admin, { actorId: 'scoot' })).rejects.toMatchObject(mistyped);
    await expect(plane.exportAudit(admin, { actorId: 'scoot' })[Symbol.asyncIterator]().next()).rejects.toMatchObject(
      mistyped,
    );

    const { user: namesake } = await plane.createUser(admin, { name: 'Mia', role: 'member' });
    await expect(plane.audit(admin, { actorId: 'Mia' })).rejects.toMatchObject({
      code: 'ambiguous',
      hint: expect.stringContaining(namesake.id),
    });
  } finally {
    await helve.close();
  }
});
