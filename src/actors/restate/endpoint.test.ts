/** A port that Restate cannot be given: the error names the setting. */
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { seal } from '../../audit/index.js';
import { openStorage } from '../../storage/index.js';
import { scriptMachines } from '../../testing/actor-script.js';
import { createPersistence, createRestateActorHost } from '../index.js';

it('R-machines: a port in use is an error of the setting, and not of the process', async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const { port } = holder.address() as { port: number };
  const storage = await openStorage({ location: ':memory:', seal });
  const nowhere = ['http://127.0.0.1:1'];
  const host = createRestateActorHost({
    storage,
    machines: scriptMachines,
    persistence: createPersistence({ storage, waits: [10] }),
    restate: { ingress: nowhere, admin: nowhere, listen: { host: '127.0.0.1', port } },
    report: () => undefined,
  });
  await expect(host.start()).rejects.toMatchObject({
    code: 'invalid_config',
    message: `tasks.restate.listen: Port ${port} on 127.0.0.1 is in use by another program`,
    hint: expect.stringContaining('helve.yaml'),
  });
  await host.close();
  await storage.close();
  await new Promise((resolve) => holder.close(resolve));
});
