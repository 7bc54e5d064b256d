/**
 * What the operator set for a tool, for approvals and plans: a call that was approved against one host, database or command does not run
 * against another. It becomes part of a stored hash, and a short password could be guessed from one, so secrets are left out; then a
 * rotated password also ends nothing.
 */
import { redactText, withoutSecrets } from '../../audit/index.js';
import { type ConfigFile, composioEnvironment } from '../../config/index.js';
import type { Connection } from '../../domain/connection.js';
import type { JsonValue } from '../../domain/json.js';
import type { Tool } from '../../domain/tool.js';
import type { PipelineParts } from '../../flows/calling/index.js';
import type { Registry } from '../../registry/index.js';
import { canonicalJson } from '../../util/canonical.js';

interface SetupParts {
  readonly config: Pick<ConfigFile, 'toolkits' | 'openapi' | 'mcpServers' | 'composio'>;
  readonly registry: Pick<Registry, 'findToolkit'>;
}

export function createToolSetup({ config, registry }: SetupParts): PipelineParts['findSetup'] {
  // The file is read once, at the start.
  const known = new Map<string, readonly JsonValue[] | undefined>();
  return async (tool, connection) => {
    const key = `${tool.provider} ${tool.id.toolkit}`;
    if (!known.has(key)) known.set(key, readSettings(findSettings(config, tool)));
    const settings = known.get(key);
    const servers = await listServers(registry, tool, connection);
    return settings === undefined && servers === undefined ? undefined : canonicalJson([settings ?? [], servers ?? []]);
  };
}

function readSettings(settings: unknown): readonly JsonValue[] | undefined {
  if (settings === undefined) return undefined;
  const written = JSON.stringify(settings);
  // An address also counts where the name of its setting says that it is a secret: `DATABASE_URL`.
  const addresses = [...written.matchAll(address)].map(([found]) => redactText(found, found.length));
  return [withoutSecrets(JSON.parse(written) as JsonValue), addresses];
}

const address = /[a-z][a-z0-9+.-]*:\/\/[^\s"'<>\\]+/gi;

/** As the file has them; without the names that only people read. */
function findSettings(config: SetupParts['config'], { id: { toolkit }, provider }: Tool): unknown {
  const own = (section: Readonly<Record<string, object>>) =>
    Object.hasOwn(section, toolkit) ? section[toolkit] : undefined;
  if (provider === 'native') return own(config.toolkits);
  if (provider === 'composio') return config.composio.base_url ?? composioEnvironment().baseUrl;
  const found = own(provider === 'mcp' ? config.mcpServers : config.openapi);
  return found && { ...found, title: undefined, category: undefined };
}

/** Where the requests of the account go: a document, or a setting of the account, may decide that too. */
async function listServers(
  registry: SetupParts['registry'],
  { id, provider }: Tool,
  connection: Connection | undefined,
): Promise<readonly string[] | undefined> {
  const toolkit = await registry.findToolkit(id.toolkit);
  // With an account that a provider stores, that provider's tool is called, wherever ours would go.
  if (toolkit?.provider !== provider) return undefined;
  const servers = toolkit.service?.servers(toolkit.settings ?? {}, connection?.settings ?? {});
  return servers && Object.values(servers).map(({ url }) => redactText(url, url.length));
}
