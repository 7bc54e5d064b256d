/** External toolkits in `helve.yaml`: OpenAPI documents and MCP servers. Their code is loaded only if there are any. */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type ConfigFile,
  environmentVariables,
  type McpServerSettings,
  type OpenApiSettings,
} from '../../config/index.js';
import { HelveError } from '../../domain/errors.js';
import type { Provider } from '../../domain/provider.js';
import type { EgressLimits } from '../../domain/tool.js';
import type { ListingAccount, McpServerSource } from '../../providers/mcp/index.js';
import type { OpenApiSource } from '../../providers/openapi/index.js';
import { defined } from '../../util/defined.js';
import { httpEndpoint } from '../../util/http-endpoint.js';
import type { PlaneServices } from './native-services.js';

interface OutsideParts {
  readonly services: Pick<PlaneServices, 'egress' | 'lastingEgress' | 'http' | 'workers'>;
  /** The file whose folder relative document paths are based on. */
  readonly configFile: string | undefined;
  readonly reportError: (error: unknown) => void;
  /** Returns an account of a workspace with which a toolkit's server may be asked. */
  readonly accountFor: (toolkit: string, workspaceId: string | undefined) => Promise<ListingAccount | undefined>;
  /** Calls `listener` when it may be another account. Returns a function that ends this. */
  readonly onAccountsChange: (workspaceId: string, listener: () => void) => () => void;
}

const maxBytes = 100_000_000;
const documentTimeoutMs = 60_000;

export async function outsideProviders(config: ConfigFile, parts: OutsideParts): Promise<readonly Provider[]> {
  const providers: Provider[] = [];
  const documents = Object.entries(config.openapi);
  if (documents.length > 0) {
    const { createOpenApiProvider } = await import('../../providers/openapi/index.js');
    const sources = documents.map(([slug, settings]) => ({
      ...documentSource(slug, settings, parts),
      place: config.at(['openapi', slug, 'document']),
    }));
    providers.push(createOpenApiProvider({ sources, http: parts.services.http, workers: parts.services.workers }));
  }
  const servers = Object.entries(config.mcpServers);
  if (servers.length > 0) {
    const { createMcpProvider } = await import('../../providers/mcp/index.js');
    providers.push(
      createMcpProvider({
        servers: servers.map(([slug, settings]) => serverSource(slug, settings)),
        reportError: (toolkit, error) => parts.reportError(placed(config.at(['mcp_servers', toolkit]), error)),
        fetchFor: (url) => async (target, init) =>
          (await parts.services.lastingEgress(serverLimits(url))).stream(target, init),
        accountFor: parts.accountFor,
        onAccountsChange: parts.onAccountsChange,
      }),
    );
  }
  return providers;
}

/** Adds the location of the server in the file, for its author. */
function placed(place: string, { code, message, hint, details, cause }: HelveError): HelveError {
  return new HelveError(code, `${place}: ${message}`, {
    ...defined({ hint, details }),
    cause,
  });
}

function documentSource(slug: string, settings: OpenApiSettings, parts: OutsideParts): OpenApiSource {
  const { document, title, category, base_url, variables, include } = settings;
  const remote = /^https?:/i.test(document);
  const path = resolve(parts.configFile === undefined ? '.' : dirname(parts.configFile), document);
  return {
    slug,
    ...defined({ title, category, baseUrl: base_url, variables, include }),
    isRemote: remote,
    documentUrl: remote ? document : pathToFileURL(path).href,
    load: () => (remote ? fetchDocument(parts, slug, document) : readDocument(slug, path)),
  };
}

async function readDocument(slug: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new HelveError('invalid_config', `openapi.${slug}.document: ${path} cannot be read`, { cause });
  }
}

/** The operator named the address, so it may be in a private network. */
async function fetchDocument({ services }: OutsideParts, slug: string, url: string): Promise<string> {
  const endpoint = httpEndpoint(url);
  const egress = await services.egress({
    allowedDomains: [endpoint.host],
    operatorHosts: [endpoint],
    maxBytes,
    timeoutMs: documentTimeoutMs,
  });
  const answer = await egress.fetch({ url });
  if (answer.status === 200 && !answer.truncated) return answer.text();
  throw new HelveError('upstream_failed', `openapi.${slug}.document: ${endpoint.host} answered ${answer.status}`);
}

/** The operator named the address, so it may be in a private network. No other is reached. */
function serverLimits(url: string): EgressLimits {
  const { host, port } = httpEndpoint(url);
  const bare = host.replace(/^\[|\]$/g, '');
  return { allowedDomains: [bare], operatorHosts: [{ host: bare, port }] };
}

function serverSource(slug: string, settings: McpServerSettings): McpServerSource {
  const { title, category } = settings;
  const facts = {
    slug,
    ...defined({ title, category }),
  };
  if ('url' in settings) {
    const { url, auth, authorization_servers: authorizationServers } = settings;
    return { ...facts, transport: { kind: 'http', url }, auth, authorizationServers };
  }
  const { command, args, cwd } = settings;
  // Enough to find a program and a home folder; no other variables of ours, which may be secret.
  const { PATH = '', HOME = '' } = environmentVariables();
  const env = { PATH, HOME, ...settings.env };
  return { ...facts, transport: { kind: 'stdio', command, args, env, ...defined({ cwd }) } };
}
