// A process that drives issues until it is killed: see kills.js.
const root = new URL(process.env.HELVE_DIST ?? '../../dist/', import.meta.url);
const { createEmbeddedActorHost, createPersistence, createRestateActorHost } = await import(
  new URL('actors/index.js', root)
);
const { openStorage } = await import(new URL('storage/index.js', root));
const { seal } = await import(new URL('audit/index.js', root));
const { machines, persistenceWaits } = await import(new URL('tasks/index.js', root));
const { workOnIssues } = await import(new URL('testing/issue-child.js', root));

// `onRestate` is empty, or has the addresses of Restate and the ports of which this process takes one.
const [location, onRestate, counterpart] = process.argv.slice(2);
const storage = await openStorage({ location, seal });
const common = {
  storage,
  machines,
  persistence: createPersistence({ storage, waits: persistenceWaits }),
  report: process.env.HELVE_BENCH_REPORT ? console.error : () => undefined,
};
await (onRestate === '' ? drive() : serve(JSON.parse(onRestate)));
console.log('open');
setInterval(() => undefined, 60_000);

async function drive() {
  // A process of this machine: it is known at once when it has ended.
  const { host, start } = createEmbeddedActorHost({ ...common, instance: { id: String(process.pid), isAlive } });
  workOnIssues(host, counterpart);
  await start();
}

async function serve({ ports, ...restate }) {
  for (const port of ports) {
    const listen = { host: '127.0.0.1', port };
    const { host, start } = createRestateActorHost({ ...common, restate: { ...restate, listen } });
    workOnIssues(host, counterpart);
    const failure = await start().then(
      () => undefined,
      (error) => error,
    );
    if (!failure) return;
    if (failure.code !== 'EADDRINUSE') throw failure;
  }
}

async function isAlive(id) {
  try {
    return process.kill(Number(id), 0);
  } catch {
    return false;
  }
}
