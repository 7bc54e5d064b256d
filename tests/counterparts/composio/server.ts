/**
 * A Composio on loopback for data of any size: small, stateful, shaped by Composio's OpenAPI document (a test checks
 * its answers against that). For what prism cannot do: pages, accounts that come and go, faults, triggers.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as accounts from './accounts.js';
import * as catalogue from './catalogue.js';
import { executeTool } from './execute.js';
import type {
  AccountRow,
  Answer,
  AuthConfigRow,
  ComposioData,
  ComposioOptions,
  Execution,
  Fault,
  SeenRequest,
  TriggerRow,
} from './shapes.js';
import { newState, type State } from './state.js';
import * as triggers from './triggers.js';

export interface Composio {
  readonly url: string;
  readonly apiKey: string;
  /** How often each route was requested: `GET /tools`, `POST /tools/execute/{}`. */
  readonly calls: Readonly<Record<string, number>>;
  /** All requests, including failed ones, newest last. */
  readonly requests: readonly SeenRequest[];
  readonly executions: readonly Execution[];
  readonly accounts: ReadonlyMap<string, AccountRow>;
  readonly authConfigs: Map<string, AuthConfigRow>;
  readonly triggers: ReadonlyMap<string, TriggerRow>;
  readonly faults: Fault[];
  readonly data: ComposioData;
  /** Replaces the catalogue, for a later synchronisation. */
  setData(data: ComposioData): void;
  /** Changes the options from the start. */
  setOptions(options: ComposioOptions): void;
  forgetCalls(): void;
  /** Sends a signed event of a subscription. */
  fire(triggerId: string, webhook: triggers.WebhookToSend): Promise<Response>;
  close(): Promise<void>;
}

type Handle = (request: SeenRequest, state: State, part: string) => Answer | Promise<Answer>;

/** `{}` stands for one variable part. */
const routes: Readonly<Record<string, Handle>> = {
  'GET /toolkits': (request, { data }) => catalogue.listToolkits(request, data),
  'GET /toolkits/{}': (_, { data }, slug) => catalogue.oneToolkit(slug, data),
  'GET /tools': (request, { data, options }) => catalogue.listTools(request, data, options.parameters ?? 'bulk'),
  'GET /tools/enum': (_, { data }) => ({ status: 200, body: data.tools.map(({ slug }) => slug) }),
  'GET /tools/{}': (_, { data }, slug) => catalogue.oneTool(slug, data),
  'GET /triggers_types': (request, { data }) => catalogue.listTriggerTypes(request, data),
  'POST /tools/execute/{}': (request, state, slug) => executeTool(slug, request, state),
  'GET /auth_configs': accounts.listAuthConfigs,
  'POST /auth_configs': accounts.createAuthConfig,
  'GET /connected_accounts': accounts.listAccounts,
  'POST /connected_accounts': accounts.createAccount,
  'POST /connected_accounts/link': (request, state) =>
    state.options.link === false ? catalogue.refused(404, 'Not found') : accounts.linkAccount(request, state),
  'GET /connected_accounts/{}': (_, state, id) => accounts.oneAccount(id, state),
  'DELETE /connected_accounts/{}': (_, state, id) => accounts.deleteAccount(id, state),
  'POST /trigger_instances/{}/upsert': (request, state, slug) => triggers.upsertTrigger(slug, request, state),
  'GET /trigger_instances/active': triggers.listTriggers,
  'PATCH /trigger_instances/manage/{}': (request, state, id) => triggers.manageTrigger(id, request, state),
  'DELETE /trigger_instances/manage/{}': (request, state, id) => triggers.manageTrigger(id, request, state),
};

interface Found {
  readonly route: string;
  readonly part: string;
}

function findRoute(method: string, path: string): Found | undefined {
  if (Object.hasOwn(routes, `${method} ${path}`)) return { route: `${method} ${path}`, part: '' };
  const parts = path.split('/');
  for (let index = 2; index < parts.length; index++) {
    const route = `${method} ${parts.with(index, '{}').join('/')}`;
    if (Object.hasOwn(routes, route)) return { route, part: decodeURIComponent(parts[index] ?? '') };
  }
  return undefined;
}

export async function startComposio(data: ComposioData, given: ComposioOptions = {}): Promise<Composio> {
  const options = { ...given };
  const state = newState(data, options);
  const apiKey = given.apiKey ?? 'ak_test';
  const requests: SeenRequest[] = [];
  const calls: Record<string, number> = {};
  const faults: Fault[] = [];
  const server = createServer((incoming, response) => {
    void answerTo(incoming, { state, apiKey, requests, calls, faults }).then(
      (answer) => (answer ? write(incoming, response, answer, options.etag === true) : incoming.socket.destroy()),
      (error: unknown) => write(incoming, response, catalogue.refused(500, String(error)), false),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: state.url,
    apiKey,
    calls,
    requests,
    faults,
    executions: state.executions,
    accounts: state.accounts,
    authConfigs: state.authConfigs,
    triggers: state.triggers,
    get data() {
      return state.data;
    },
    setData(next) {
      state.data = next;
    },
    setOptions: (next) => void Object.assign(options, next),
    forgetCalls() {
      for (const name of Object.keys(calls)) delete calls[name];
      requests.length = 0;
    },
    async fire(triggerId, webhook) {
      const row = state.triggers.get(triggerId);
      if (!row || row.disabled) throw new Error(`No enabled trigger ${triggerId}`);
      return triggers.sendEvent(row, webhook);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Serving {
  readonly state: State;
  readonly apiKey: string;
  readonly requests: SeenRequest[];
  readonly calls: Record<string, number>;
  readonly faults: Fault[];
}

/** Undefined: the answer is lost. */
async function answerTo(incoming: IncomingMessage, serving: Serving): Promise<Answer | undefined> {
  const { state, apiKey, requests, calls, faults } = serving;
  const url = new URL(incoming.url ?? '/', state.url);
  if (url.pathname.startsWith('/link/')) return accounts.visitLink(url.pathname.slice('/link/'.length), state);
  const [, version, path] = /^\/api\/(v3|v3\.1)(\/.+)$/.exec(url.pathname) ?? [];
  if (path === undefined) return catalogue.refused(404, 'Not found');
  const text = await readBody(incoming);
  const request: SeenRequest = {
    method: incoming.method ?? '',
    path,
    version: version as 'v3',
    query: url.searchParams,
    headers: incoming.headers,
    body: text === '' ? undefined : parse(text),
  };
  requests.push(request);
  const found = findRoute(request.method, path);
  const counted = found?.route ?? `${request.method} ${path}`;
  calls[counted] = (calls[counted] ?? 0) + 1;
  const fault = takeFault(faults, request);
  if (fault?.delayMs) await sleep(fault.delayMs);
  if (fault?.status !== undefined) {
    const { status, headers } = fault;
    return {
      ...catalogue.refused(status, `Composio answers ${status}`),
      ...(headers && { headers }),
      ...bodyOf(fault),
    };
  }
  if (incoming.headers['x-api-key'] !== apiKey) return catalogue.refused(401, 'Invalid API key', 10401);
  if (!(state.options.versions ?? ['v3', 'v3.1']).includes(request.version)) return catalogue.refused(404, 'Not found');
  const handle = found && routes[found.route];
  if (!found || !handle) return catalogue.refused(404, 'Not found');
  const answer = await handle(request, state, found.part);
  return fault?.drop ? undefined : answer;
}

const bodyOf = ({ body }: Fault): { body?: unknown } => (body === undefined ? {} : { body });

function takeFault(faults: Fault[], request: SeenRequest): Fault | undefined {
  const index = faults.findIndex(({ when }) => when(request));
  const fault = faults[index];
  if (!fault) return undefined;
  const left = (fault.times ?? 1) - 1;
  faults.splice(index, 1, ...(left > 0 ? [{ ...fault, times: left }] : []));
  return fault;
}

function write(incoming: IncomingMessage, response: ServerResponse, answer: Answer, etag: boolean): void {
  const text = answer.text ?? (answer.body === undefined ? '' : JSON.stringify(answer.body));
  const tag = etag && answer.status === 200 ? `"${createHash('sha1').update(text).digest('hex')}"` : undefined;
  const headers = { 'content-type': 'application/json; charset=utf-8', ...(tag && { etag: tag }), ...answer.headers };
  if (tag !== undefined && incoming.headers['if-none-match'] === tag) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(answer.status, { ...headers, 'content-length': Buffer.byteLength(text) }).end(text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
