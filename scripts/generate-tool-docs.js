// Writes docs/reference/{tools,integrations}.md from the registry; with --check it only reports whether they are up to date.
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

function properties(title, schema) {
  if (!schema?.properties) return [];
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties).map(([name, property]) => {
    const type = property.enum
      ? property.enum.map((value) => JSON.stringify(value)).join(', ')
      : (property.type ?? (property.anyOf ?? []).map((one) => one.type).join(' or ')) || 'any';
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
