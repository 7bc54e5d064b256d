// Writes docs/reference/tools.md from the registry; with --check only says whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { createHelve } from 'helve';
import { z } from 'zod';
import { nativeToolkits } from '../dist/toolkits/index.js';

const path = new URL('../docs/reference/tools.md', import.meta.url);
const helve = await createHelve();
const toolkits = await helve.registry.toolkits();
const lines = ['# Tools', '', 'Made from the registry by `npm run docs`; do not edit.', ''];
for (const toolkit of toolkits) {
  lines.push(
    `## ${toolkit.title} (\`${toolkit.slug}\`)`,
    '',
    toolkit.description,
    '',
    ...(await settingsOf(toolkit.slug)),
  );
  for (const { tool } of await helve.registry.tools(toolkit.slug)) lines.push(...describe(tool));
}
await helve.close();

function describe(tool) {
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

/** What the operator sets for the whole toolkit, where it takes anything. */
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

const text = `${lines.join('\n').trimEnd()}\n`;
if (!process.argv.includes('--check')) writeFileSync(path, text);
else if (readFileSync(path, 'utf8') !== text) {
  console.error('docs/reference/tools.md is not up to date: npm run docs');
  process.exitCode = 1;
}
