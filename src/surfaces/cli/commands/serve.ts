/** `helve serve`: opens the plane and serves it. The only surface that creates a plane. */
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Command, InvalidArgumentError } from 'commander';
import { type Environment, type GivenOptions, listEnvironment } from '../../../config/index.js';
import { HelveError } from '../../../domain/errors.js';
import { agentPrincipal, allPermissions, type Principal } from '../../../domain/principal.js';
import type { UnreadyReason } from '../../../domain/readiness.js';
import type { Helve, SetUp } from '../../../helve.js';
import { defined } from '../../../util/defined.js';
import { endAll } from '../../../util/end-all.js';
import { markBuildServed } from '../../../util/served-build.js';
import type { HttpApp, ListenOptions } from '../../http/index.js';
import type { McpDoor } from '../../mcp/index.js';
import { fail } from '../context.js';
import { loadToolkits } from '../load-toolkits.js';
import { claimDataFolder, findLocalAccess, writeLocalAccess } from '../local-access.js';
import { createOutput } from '../print.js';
import { snippets } from '../snippets.js';

interface ServeOptions {
  readonly data: string;
  readonly host: string;
  readonly port: number;
  readonly config?: string;
  readonly stdio?: boolean;
  readonly agent?: string;
  readonly toolkit?: readonly string[];
  /** Another process already serves the data folder, and the command line continues to use that one. */
  readonly beside?: boolean;
}

/** With what the command line said instead of the environment. */
interface StartOptions extends ServeOptions {
  readonly given: GivenOptions;
}

interface Opened {
  readonly helve: Helve;
  /** Loaded at first use: the protocol library takes a fifth of the start-up time. */
  readonly door: () => Promise<McpDoor>;
  /** The MCP door of tasks, also loaded at first use. */
  readonly taskDoor: () => Promise<McpDoor>;
  readonly closeDoors: () => Promise<void>;
  readonly setUp: SetUp;
}

const streamGraceMs = 500;
const packageRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..');

export function addServe(program: Command, environment: Environment): void {
  program
    .command('serve')
    .description('serve REST and MCP, or MCP on standard input and output')
    .option('--data <folder>', 'data folder (HELVE_DATA)', environment.dataDir)
    .option('--host <address>', 'address to listen on (HELVE_HOST)', environment.host)
    .option('--port <port>', 'port to listen on (HELVE_PORT)', parsePort, environment.port)
    .option('--config <file>', 'helve.yaml (default: in the data folder)')
    .option('--stdio', 'serve MCP on standard input and output, for clients that start their servers')
    .option('--agent <name>', 'with --stdio: the agent that calls')
    .option('--toolkit <module...>', 'modules that export your own toolkits; they run with the rights of Helve')
    .option('--beside', 'serve a data folder that another process already serves')
    .action(async (options: ServeOptions, command: Command) => {
      try {
        const started = { ...options, given: listGiven(options, command) };
        await (options.stdio ? serveStdio(started, environment) : serveHttp(started, environment));
      } catch (error) {
        fail(error, createOutput(false));
      }
    });
}

function listGiven({ data, host, port }: ServeOptions, command: Command): GivenOptions {
  const isGiven = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  return {
    ...(isGiven('data') ? { dataDir: { value: data, option: '--data' } } : {}),
    ...(isGiven('host') ? { host: { value: host, option: '--host' } } : {}),
    ...(isGiven('port') ? { port: { value: port, option: '--port' } } : {}),
  };
}

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
}

async function open(
  options: StartOptions,
  environment: Environment,
  publicUrl: () => string | undefined,
): Promise<Opened> {
  markBuildServed(join(packageRoot, 'dist'));
  // Loaded here because every other command imports this file and needs neither plane nor doors.
  const { createHelve } = await import('../../../helve.js');
  const helve = await createHelve({
    dataDir: options.data,
    publicUrl,
    toolkits: await loadToolkits(options.toolkit),
    resultMaxChars: environment.resultMaxChars,
    ...defined({ database: environment.databaseUrl }),
    databasePoolSize: environment.databasePoolSize,
    processSettings: listEnvironment(options.given),
    ...defined({ vaultKeys: environment.vaultKeys, configFile: options.config }),
    ...(environment.logFormat === 'json' ? { log: { level: environment.logLevel } } : {}),
  });
  try {
    const setUp = await helve.setUp();
    return { helve, setUp, ...lazyMcpDoors(helve, environment) };
  } catch (error) {
    await helve.close();
    throw error;
  }
}

function lazyMcpDoors(helve: Helve, environment: Environment): Pick<Opened, 'door' | 'taskDoor' | 'closeDoors'> {
  const { version } = createRequire(import.meta.url)(join(packageRoot, 'package.json')) as { version: string };
  const options = { plane: helve.plane, mcpSessions: helve.mcpSessions, resultMaxChars: environment.resultMaxChars };
  let tools: Promise<McpDoor> | undefined;
  let tasks: Promise<McpDoor> | undefined;
  return {
    door() {
      tools ??= import('../../mcp/index.js').then(({ createMcpDoor }) =>
        createMcpDoor({ ...options, serverInfo: { name: 'helve', version } }),
      );
      return tools;
    },
    taskDoor() {
      tasks ??= import('../../mcp/index.js').then(({ createTaskDoor }) =>
        createTaskDoor({ ...options, serverInfo: { name: 'helve-tasks', version } }),
      );
      return tasks;
    },
    closeDoors: async () => {
      await Promise.all([tools, tasks].map(async (door) => (await door)?.close()));
    },
  };
}

async function serveHttp(options: StartOptions, environment: Environment): Promise<void> {
  if (options.beside) return serveClaimed(options, environment);
  const release = await claimDataFolder(options.data);
  try {
    await serveClaimed(options, environment);
  } finally {
    release();
  }
}

async function serveClaimed(options: StartOptions, environment: Environment): Promise<void> {
  const { checkProxies, createHttpApp, listen } = await import('../../http/index.js');
  // A start that fails must not have created an agent whose token was never shown.
  checkProxies(environment.trustedProxies);
  let app: HttpApp | undefined;
  const fetch: ListenOptions['fetch'] = (request, bindings) => (app ? app.fetch(request, bindings) : answerStarting());
  const listening = await listen({ fetch, host: options.host, port: options.port });
  const address = environment.publicUrl ?? listening.url;
  const { helve, door, taskDoor, closeDoors, setUp } = await open(options, environment, () => address).catch(
    async (error: unknown) => {
      await listening.close();
      throw error;
    },
  );
  let stopped: Promise<void>;
  try {
    app = createHttpApp({
      plane: helve.plane,
      mcp: async (request, principal) => (await door()).handle(request, principal),
      taskMcp: async (request, principal) => (await taskDoor()).handle(request, principal),
      publicUrl: address,
      log: helve.log,
      reportError: helve.reportError,
      trustedProxies: environment.trustedProxies,
      panelFolder: fileURLToPath(new URL('../../../panel/', import.meta.url)),
    });
    if (!options.beside) await leaveLocalAccess(options.data, helve, setUp, listening.url);
    // Before the announcement, because a program that reads it may stop the server immediately.
    stopped = stopSignal();
    await announce(options, helve, setUp, address);
  } catch (error) {
    // What prevented the start says more than what may then prevent the end.
    await endAll([helve.close, listening.close]).catch(() => undefined);
    throw error;
  }
  helve.log?.write('info', 'process.started', { url: address });
  // Nothing waits for this, and the first MCP client does not have to either.
  await Promise.all([stopped, door()]);
  process.stdout.write('Stopping…\n');
  helve.announceStop();
  helve.log?.write('info', 'process.stopping');
  if (environment.drainSeconds > 0) await delay(environment.drainSeconds * 1_000);
  // Streams that MCP clients keep open end only with their door; running calls get a moment to end by themselves.
  const closing = listening.close();
  await Promise.race([closing, delay(streamGraceMs, undefined, { ref: false })]);
  await closeDoors();
  await closing;
  await helve.close();
  helve.log?.write('info', 'process.stopped');
  process.stdout.write('Stopped.\n');
}

/** What `/ready` says, to every request. */
function answerStarting(): Response {
  const reason: UnreadyReason = 'starting';
  return Response.json({ status: 'not_ready', reason }, { status: 503, headers: { 'retry-after': '1' } });
}

async function serveStdio(options: StartOptions, environment: Environment): Promise<void> {
  const local = findLocalAccess(options.data);
  const { helve, door, closeDoors, setUp } = await open(
    options,
    environment,
    () => environment.publicUrl ?? local?.url,
  );
  const name = options.agent ?? setUp.firstAgent;
  // Standard output carries the protocol.
  for (const line of releasedLines(setUp)) process.stderr.write(`${line}\n`);
  const principal = await findAgentPrincipal(helve, setUp.workspaceId, name);
  const connection = await (await door()).serveStdio(principal);
  await Promise.race([connection.closed, stopSignal()]);
  await connection.close();
  await closeDoors();
  await helve.close();
  process.exit();
}

async function findAgentPrincipal(helve: Helve, workspaceId: string, name: string): Promise<Principal> {
  const agents = await helve.plane.agents(localOperator(workspaceId));
  const agent = agents.find(({ slug, id }) => slug === name || id === name);
  if (!agent)
    throw new HelveError('not_found', `No agent is named ${name}`, {
      hint: `Agents: ${agents.map(({ slug }) => slug).join(', ')}.`,
    });
  return agentPrincipal(agent, workspaceId);
}

/** Anyone who can open the data folder is its operator. */
function localOperator(workspaceId: string): Principal {
  return { kind: 'user', id: 'local', name: 'local operator', workspaceId, permissions: allPermissions };
}

/** Reuses the key of an earlier start while it is valid, so that starts do not accumulate keys. */
async function leaveLocalAccess(dataDir: string, helve: Helve, setUp: SetUp, url: string): Promise<void> {
  const known = findLocalAccess(dataDir);
  const good =
    known &&
    (await helve.plane.authenticate(known.key).then(
      () => true,
      () => false,
    ));
  const key = good
    ? known.key
    : (
        await helve.plane.createApiKey(localOperator(setUp.workspaceId), {
          name: 'command line',
          permissions: allPermissions,
        })
      ).secret;
  writeLocalAccess(dataDir, { url, key });
}

async function announce(options: ServeOptions, helve: Helve, setUp: SetUp, url: string): Promise<void> {
  const link = await helve.adminLink(setUp.workspaceId);
  const mcpUrl = `${url}/mcp/${setUp.firstAgent}`;
  const lines = [
    '',
    `Helve serves at  ${url}`,
    `Admin (once)     ${url}/admin/login?token=${link}`,
    `MCP              ${mcpUrl}`,
  ];
  if (setUp.firstToken) {
    lines.push(`Agent token      ${setUp.firstToken}   (shown only once)`, '', 'Paste into your MCP client:');
    const facts = {
      mcpUrl,
      token: setUp.firstToken,
      agent: setUp.firstAgent,
      program: join(packageRoot, 'bin/helve.js'),
      dataDir: resolve(options.data),
    };
    for (const { client, text } of snippets(facts)) lines.push('', `  ${client}`, `    ${text}`);
  } else {
    lines.push(`Agent token      as shown at the first start; for another: helve agents token ${setUp.firstAgent}`);
  }
  if (setUp.interrupted > 0)
    lines.push('', `${setUp.interrupted} call(s) were interrupted by a crash; see: helve audit --text interrupted`);
  lines.push(...releasedLines(setUp));
  lines.push('', `Data in ${resolve(options.data)}. Stop with Ctrl-C.`, '');
  process.stdout.write(`${lines.join('\n')}\n`);
}

function releasedLines({ released }: SetUp): string[] {
  if (released.length === 0) return [];
  return [`No longer declared in helve.yaml, so their grants and tokens have ended: ${released.join(', ')}`];
}

/** The first signal starts a clean stop; a second one ends the process immediately. */
function stopSignal(): Promise<void> {
  return new Promise((done) => {
    const stop = (): void => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
      done();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  });
}
