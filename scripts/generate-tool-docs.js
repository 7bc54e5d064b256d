// Writes docs/reference/{tools,integrations,effects}.md from the registry; with --check it only reports whether they are up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createHelve } from 'helve';
import { z } from 'zod';
import { nativeToolkits } from '../dist/toolkits/index.js';

const helve = await createHelve();
const toolkits = await helve.registry.toolkits();
const described = new Map();
const pages = {
  'tools.md': await page(
    'Tools',
    toolkits.filter((toolkit) => !toolkit.needsConnection),
  ),
  'integrations.md': await page(
    'Integrations',
    toolkits.filter((toolkit) => toolkit.needsConnection),
    'Toolkits that act with an account. Each tool stands once for each connection, under its slug: `work-gmail__send_gmail_message`.',
  ),
  'effects.md': await effectsPage(),
};
await helve.close();

async function page(title, of, introduction) {
  const lines = [`# ${title}`, '', 'Made from the registry by `npm run docs`; do not edit.', ''];
  if (introduction) lines.push(introduction, '');
  for (const toolkit of of) {
    lines.push(`## ${toolkit.title} (\`${toolkit.slug}\`)`, '', toolkit.description, '');
    lines.push(...signIn(toolkit), ...(await settingsOf(toolkit.slug)));
    let group;
    for (const { tool } of await helve.registry.tools(toolkit.slug)) {
      if (tool.group !== group) lines.push(`**${tool.group}**`, '');
      group = tool.group;
      lines.push(...describe(tool));
    }
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** How each tool with effects is kept from having them twice. */
async function effectsPage() {
  const lines = [
    '# Effects',
    '',
    'Made from the registry by `npm run docs`; do not edit.',
    '',
    'What becomes of a call of a program whose answer was lost, for example because the process died in it: it may have had its',
    'effect or not. Helve never guesses. A tool says as data (`idempotency` of `defineTool`) which of these applies:',
    '',
    '- **repeatable**: the call is made again, which changes nothing more.',
    '- **key**: the call is made again with the same key, by which its service recognises it. After the time that the service',
    '  remembers a key, a person decides.',
    '- **probe**: the tool looks whether the effect happened. Then it is the answer; otherwise the call is made again. If it cannot',
    '  tell, a person decides.',
    '- **ask**: a person decides: it happened, it did not, or the run stops.',
    '',
    'Tools of MCP servers are left to a person. So are those of OpenAPI documents and of Composio, except that PUT and DELETE are',
    'repeatable by the definition of HTTP, an operation with an `Idempotency-Key` header gets one (key), and an action that Composio',
    'marks as idempotent is repeatable.',
    '',
  ];
  for (const { slug, title } of toolkits) {
    const changing = (await helve.registry.tools(slug)).filter(({ tool }) => tool.hasEffects);
    if (changing.length === 0) continue;
    lines.push(`## ${title} (\`${slug}\`)`, '', '| tool | kept by | how |', '|---|---|---|');
    for (const { tool } of changing) {
      const { by, how, seconds } = tool.idempotency ?? { by: 'ask', how: 'The tool does not say' };
      const time = seconds === undefined ? '' : `. Used for ${seconds / 3_600} hours`;
      lines.push(`| \`${tool.id.name}\` | ${by} | ${how.replaceAll('|', '\\|')}${time} |`);
    }
    lines.push('');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The ways to sign in, with the fields of each. */
function signIn({ auth }) {
  if (!auth) return [];
  const rows = auth.schemes.map(({ id, title, kind, provider, fields = [] }) => {
    const asked = fields.map(
      ({ name, secret, optional }) => `\`${name}\`${secret ? ' (secret)' : ''}${optional ? ' (optional)' : ''}`,
    );
    return `| \`${id}\` | ${title} | ${kind === 'oauth2' ? `OAuth, provider \`${provider}\`` : kind} | ${asked.join(', ')} |`;
  });
  return ['| Signs in by | | kind | asks for |', '|---|---|---|---|', ...rows, ''];
}

function describe(tool) {
  const before = described.get(`${tool.id.name}\n${tool.description}`);
  if (before) return [`### ${tool.id.name}`, '', `As in \`${before}\`.`, ''];
  described.set(`${tool.id.name}\n${tool.description}`, tool.id.toolkit);
  const hints = Object.entries(tool.annotations)
    .filter(([, on]) => on)
    .map(([name]) => name.replace('Hint', ''));
  const rows = [
    `### ${tool.id.name}`,
    '',
    tool.description,
    '',
    `Risk: ${tool.risk} · hints: ${hints.join(', ') || 'none'} · capabilities: ${tool.capabilities.join(', ')}${tool.intrinsic ? ' · comes with every grant' : ''}`,
    '',
    ...properties('Input', tool.inputSchema),
    ...properties('Output', tool.outputSchema),
    ...properties('`tool_config`', tool.configSchema),
  ];
  for (const { input, output, note } of tool.examples) {
    rows.push(
      `Example${note ? ` (${note})` : ''}: \`${JSON.stringify(input)}\`${output === undefined ? '' : ` → \`${JSON.stringify(output)}\``}`,
      '',
    );
  }
  return rows;
}

/** The settings of the whole toolkit for the operator, if it has any. */
async function settingsOf(slug) {
  const tools = (await nativeToolkits.find((toolkit) => toolkit.slug === slug)?.load()) ?? [];
  const schema = tools.find((tool) => tool.settingsSchema)?.settingsSchema;
  if (!schema) return [];
  const shape = schema instanceof z.ZodType ? z.toJSONSchema(schema, { io: 'input' }) : schema;
  return properties(`\`toolkits.${slug}\` in helve.yaml`, shape);
}

/** The type of a property; of an object also its keys, and of a list the type of its items. */
function writeType(given, root, depth = 0) {
  const property = given.$ref ? root.$defs[given.$ref.slice('#/$defs/'.length)] : given;
  if (property.enum) return property.enum.map((value) => JSON.stringify(value)).join(', ');
  const inside = (one) => writeType(one, root, depth + 1);
  const alternatives = property.anyOf ?? property.oneOf;
  if (alternatives && depth < 3) return [...new Set(alternatives.map(inside))].join(' or ');
  const keys = Object.keys(property.properties ?? {});
  if (keys.length > 0 && depth < 2) {
    const needed = new Set(property.required ?? []);
    return `object (${keys.map((key) => (needed.has(key) ? key : `${key}?`)).join(', ')})`;
  }
  if (property.type === 'array' && property.items && depth < 2) {
    const item = inside(property.items);
    return item.includes(' or ') ? `array of (${item})` : `array of ${item}`;
  }
  const values = property.additionalProperties;
  if (property.type === 'object' && values?.type === 'object' && depth < 1) return `object of ${inside(values)}`;
  return String(property.type ?? 'any').replaceAll(',', ' or ');
}

function properties(title, schema) {
  if (!schema?.properties) return [];
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties).map(([name, property]) => {
    const type = writeType(property, schema);
    const bounds = ['minimum', 'maximum', 'minLength', 'maxLength', 'default']
      .filter((key) => property[key] !== undefined && Math.abs(Number(property[key])) !== Number.MAX_SAFE_INTEGER)
      .map((key) => `${key} ${JSON.stringify(property[key])}`);
    return `| \`${name}\` | ${type} | ${required.has(name) ? 'yes' : ''} | ${[property.description, ...bounds].filter(Boolean).join('; ').replaceAll('|', '\\|')} |`;
  });
  return [`| ${title} | type | required | |`, '|---|---|---|---|', ...rows, ''];
}

for (const [name, text] of Object.entries(pages)) {
  const path = new URL(`../docs/reference/${name}`, import.meta.url);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(`docs/reference/${name} is not up to date: npm run docs`);
    process.exitCode = 1;
  }
}
