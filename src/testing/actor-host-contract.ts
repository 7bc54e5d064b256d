/**
 * The contract of every actor host, run against each one: every sentence of the port is a test here. A host under test has
 * several processes, of which each can end as if it had been killed.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import type { ActorHostProcess, ActorHostUnderTest, HostParts } from './actor-host-ground.js';
import { linesContract } from './actor-host-lines.js';
import { viewsContract } from './actor-host-views.js';
import { workContract } from './actor-host-work.js';

export type { ActorHostUnderTest } from './actor-host-ground.js';

export function actorHostContract(name: string, open: () => Promise<ActorHostUnderTest>): void {
  describe(name, () => {
    let under: ActorHostUnderTest;
    let count = 0;
    const processes = new Set<ActorHostProcess>();
    beforeAll(async () => {
      under = await open();
    });
    beforeEach(() => {
      count += 1;
    });
    afterEach(async () => {
      await Promise.all([...processes].map((process) => process.close()));
      processes.clear();
    });
    afterAll(() => under.dispose());
    const parts: HostParts = {
      async open() {
        const opened = await under.open();
        const process: ActorHostProcess = {
          host: opened.host,
          async close() {
            if (processes.delete(process)) await opened.close();
          },
          async crash() {
            if (processes.delete(process)) await opened.crash();
          },
        };
        processes.add(process);
        return process;
      },
      address: (id, kind = 'issue') => ({ workspaceId: under.workspaces[0], kind, id: `${id}-${count}` }),
      elsewhere: (actor) => ({ ...actor, workspaceId: under.workspaces[1] }),
    };
    describe('lines of events', () => linesContract(parts));
    describe('work', () => workContract(parts));
    describe('views', () => viewsContract(parts));
  });
}
