// A process that drives issues until it is killed: see kills.js.
const root = new URL(process.env.HELVE_DIST ?? '../../dist/', import.meta.url);
const { createEmbeddedActorHost, createPersistence } = await import(new URL('actors/index.js', root));
const { openStorage } = await import(new URL('storage/index.js', root));
const { seal } = await import(new URL('audit/index.js', root));
const { machines, persistenceWaits } = await import(new URL('tasks/index.js', root));
const { workOnIssues } = await import(new URL('testing/issue-child.js', root));

const [location, counterpart] = process.argv.slice(2);
const storage = await openStorage({ location, seal });
const { host, start } = createEmbeddedActorHost({
  storage,
  machines,
  persistence: createPersistence({ storage, waits: persistenceWaits }),
  // A process of this machine: it is known at once when it has ended.
  instance: { id: String(process.pid), isAlive },
  report: console.error,
});
workOnIssues(host, counterpart);
await start();
console.log('open');
setInterval(() => undefined, 60_000);

async function isAlive(id) {
  try {
    return process.kill(Number(id), 0);
  } catch {
    return false;
  }
}
