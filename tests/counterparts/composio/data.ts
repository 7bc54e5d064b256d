/** Catalogues for the server: Composio's real data if available, and the big one in the same shape. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ComposioData, ToolItem, ToolkitItem, TriggerItem } from './shapes.js';

const folder = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const described = `${folder}composio-api/`;
const collected = `${folder}discovery/composio/`;

/** Undefined, or why the data cannot be used: for `describe.skipIf`. */
export const missingData: string | undefined =
  existsSync(`${described}tools.json`) && existsSync(`${collected}tools.jsonl`) ? undefined : 'no ../shared/data';

export const composioDocumentFile = `${described}openapi-v3.json`;

const version = '20251120_00';
const made = '2025-07-22T04:09:34.920Z';

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

/** 530 toolkits, 930 tools with Composio's full descriptions, 94 trigger types. */
export function composioData(): ComposioData {
  const toolkits = readJson<Partial<ToolkitItem>[]>(`${described}toolkits.json`).map(wholeToolkit);
  // Tools of these two are among the described ones, but the toolkits are not.
  for (const slug of ['google_admin', 'google_classroom'])
    toolkits.push(wholeToolkit({ slug, name: slug, composio_managed_auth_schemes: ['OAUTH2'] }));
  // Two toolkits of the tools are not among the listed ones.
  const tools = readJson<Partial<ToolItem>[]>(`${described}tools.json`);
  const triggers = readJson<Partial<TriggerItem>[]>(`${described}trigger-types.json`);
  return counted(toolkits, tools, triggers);
}

interface CollectedTool {
  readonly id: string;
  readonly app: string;
  readonly description: string;
  readonly title: string;
  readonly tags?: string[];
  readonly parameters: Readonly<Record<string, { type?: string; description?: string; required?: boolean }>>;
}

/** 1,083 apps and 12,947 actions of 450 of them, collected from Composio's pages, in the shape of its API. */
export function stretchedData(): ComposioData {
  const apps = readJson<
    { slug: string; name: string; description: string; category?: string; categories?: string[] }[]
  >(`${collected}apps.json`);
  const toolkits = apps.map(({ slug, name, description, category, categories }, index) => {
    const scheme = index % 3 === 0 ? 'OAUTH2' : 'API_KEY';
    const names = categories ?? (category === undefined ? [] : [category]);
    return wholeToolkit({
      slug: slug.toLowerCase(),
      name,
      auth_schemes: [scheme],
      no_auth: false,
      composio_managed_auth_schemes: scheme === 'OAUTH2' ? ['OAUTH2'] : [],
      meta: { description, categories: names.map((one) => ({ id: one.replace(/\W+/g, '-'), name: one })) } as never,
    });
  });
  const lines = readFileSync(`${collected}tools.jsonl`, 'utf8').split('\n').filter(Boolean);
  const tools = lines.map((line) => toolOfCollected(JSON.parse(line) as CollectedTool));
  return counted(toolkits, tools, readJson<Partial<TriggerItem>[]>(`${collected}triggers.json`));
}

function toolOfCollected({ id, app, title, description, tags, parameters }: CollectedTool): Partial<ToolItem> {
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    const type = parameter.type === '' || parameter.type === 'null' ? undefined : parameter.type;
    properties[name] = {
      ...(type === undefined ? {} : { type }),
      ...(type === 'array' ? { items: {} } : {}),
      ...(parameter.description ? { description: parameter.description } : {}),
    };
    if (parameter.required) required.push(name);
  }
  return {
    slug: id,
    description,
    tags: tags ?? [],
    name:
      title ||
      id
        .slice(app.length + 1)
        .toLowerCase()
        .replaceAll('_', ' '),
    toolkit: { slug: app.toLowerCase(), name: app, logo: logoOf(app.toLowerCase()) },
    input_parameters: { type: 'object', properties, ...(required.length > 0 ? { required } : {}) },
  };
}

const logoOf = (slug: string): string => `https://logos.example/${slug}`;

export function wholeToolkit(
  part: Partial<Omit<ToolkitItem, 'meta'>> & { meta?: Partial<ToolkitItem['meta']> },
): ToolkitItem {
  const slug = part.slug ?? 'app';
  return {
    slug,
    name: slug,
    auth_schemes: ['OAUTH2'],
    composio_managed_auth_schemes: [],
    is_local_toolkit: false,
    no_auth: false,
    deprecated: { toolkitId: `tk_${slug}` },
    ...part,
    meta: {
      description: '',
      logo: logoOf(slug),
      app_url: `https://${slug.replaceAll('_', '-')}.example`,
      categories: [],
      created_at: made,
      updated_at: made,
      triggers_count: 0,
      tools_count: 0,
      version,
      ...part.meta,
    },
  };
}

export function wholeTool(part: Partial<ToolItem>, toolkit: { slug: string; name: string }): ToolItem {
  const slug = part.slug ?? `${toolkit.slug.toUpperCase()}_DO`;
  const logo = logoOf(toolkit.slug);
  return {
    slug,
    name: slug,
    description: '',
    toolkit: { slug: toolkit.slug, name: toolkit.name, logo },
    no_auth: false,
    input_parameters: { type: 'object', properties: {} },
    output_parameters: wrapped,
    scopes: [],
    tags: [],
    available_versions: [version],
    version,
    is_deprecated: false,
    deprecated: {
      displayName: part.name ?? slug,
      version,
      available_versions: [version],
      is_deprecated: false,
      toolkit: { logo },
    },
    ...part,
  };
}

export function wholeTrigger(part: Partial<TriggerItem>, toolkit: { slug: string; name: string }): TriggerItem {
  return {
    slug: `${toolkit.slug.toUpperCase()}_EVENT`,
    name: 'Event',
    description: '',
    instructions: '',
    type: 'webhook',
    toolkit: { slug: toolkit.slug, name: toolkit.name, logo: logoOf(toolkit.slug) },
    config: { type: 'object', properties: {} },
    payload: { type: 'object', properties: {} },
    version,
    ...part,
  };
}

const wrapped = {
  type: 'object',
  properties: {
    data: { type: 'object', additionalProperties: true },
    error: { type: 'string', nullable: true },
    successful: { type: 'boolean' },
  },
  required: ['data', 'successful'],
};

/** Links tools and triggers to their toolkit, and counts them there. */
function counted(
  listed: readonly ToolkitItem[],
  tools: readonly Partial<ToolItem>[],
  triggers: readonly Partial<TriggerItem>[],
): ComposioData {
  const toolkits = new Map(listed.map((one) => [one.slug, one]));
  const ownerOf = (slug: string): ToolkitItem => {
    const words = slug.toLowerCase().split('_');
    for (let end = words.length - 1; end > 0; end--) {
      const owner = toolkits.get(words.slice(0, end).join('_'));
      if (owner) return owner;
    }
    const first = words[0] ?? slug;
    const added = wholeToolkit({ slug: first, name: first });
    toolkits.set(first, added);
    return added;
  };
  const wholeTools = tools.map((tool) => {
    const owner = toolkits.get(tool.toolkit?.slug ?? '') ?? ownerOf(tool.slug ?? '');
    owner.meta.tools_count += 1;
    const { slug, name } = owner;
    return { ...wholeTool(tool, owner), no_auth: owner.no_auth, toolkit: { slug, name, logo: owner.meta.logo } };
  });
  const wholeTriggers = triggers.map((trigger) => {
    const owner = ownerOf(trigger.slug ?? '');
    owner.meta.triggers_count += 1;
    return wholeTrigger(trigger, owner);
  });
  return { toolkits: [...toolkits.values()], tools: wholeTools, triggers: wholeTriggers };
}
