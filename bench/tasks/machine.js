// Shared by the benches of actors: a machine that counts, with a context of about a kilobyte, and hosts on a folder of
// their own.
const root = new URL(process.env.HELVE_DIST ?? '../../dist/', import.meta.url);
const { openStorage } = await import(new URL('storage/index.js', root));
const { seal } = await import(new URL('audit/index.js', root));
const { createEmbeddedActorHost, createPersistence, createRestateActorHost } = await import(
  new URL('actors/index.js', root)
);

/** `onEvent` sees every event when its turn comes. An event may say to whom a message is sent. */
export function countingMachines(onEvent = () => {}) {
  const machine = {
    initial: () => ({ value: 'idle', context: { n: 0, notes: 'x'.repeat(800) }, status: 'active' }),
    transition(before, event) {
      onEvent(event);
      const context = { ...before.context, n: before.context.n + 1 };
      const effects = event.to ? [{ do: 'send', to: event.to, event: { type: 'HELLO', n: context.n } }] : [];
      return [{ ...before, context }, effects];
    },
  };
  return { org: machine, repo: machine, project: machine, pr: machine, issue: machine };
}

export const workspaceId = 'w';

export async function open(location) {
  const storage = await openStorage({ location, seal });
  const workspace = { id: workspaceId, slug: workspaceId, name: workspaceId, createdAt: new Date().toISOString() };
  await storage.system.createWorkspace(workspace, []);
  return storage;
}

export function createHost(storage, machines, id = String(process.pid)) {
  const persistence = createPersistence({ storage, waits: [100, 200, 500] });
  return createEmbeddedActorHost({ storage, machines, persistence, instance: { id }, report: console.error });
}

export function createHostOnRestate(storage, machines, restate) {
  const persistence = createPersistence({ storage, waits: [100, 200, 500] });
  return createRestateActorHost({ storage, machines, persistence, restate, report: console.error });
}

export const median = (values) => quantile(values, 0.5);

export function quantile(values, share) {
  return [...values].sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))];
}

/** Prints each subject's rounds, compared with those of `bare`: `wall` in milliseconds, `cpu` in microseconds. */
export function printRatios(seen, { events, bareName }) {
  const bare = { wall: median(seen.bare.wall), cpu: median(seen.bare.cpu) };
  for (const [name, { wall, cpu }] of Object.entries(seen)) {
    const [ms, us] = [median(wall), median(cpu)];
    console.log(
      `${name}: ${Math.round((1_000 * events) / ms)} events/s, ${(us / events).toFixed(0)} µs CPU per event; ` +
        `${(ms / bare.wall).toFixed(2)} × the time and ${(us / bare.cpu).toFixed(2)} × the CPU of the ${bareName}`,
    );
  }
}
