// Writes the generated part of THIRD_PARTY_NOTICES.md: the licences of the panel's code, which is in the package, and of the packages
// that npm installs with Helve. With --check it only reports whether the file is up to date. A licence that is not in the list fails.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { joinedPackages } from './build-bundle.js';
import { listBundled, listInstalled } from './shipped-packages.js';

const allowed = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
  'CC0-1.0',
  'BlueOak-1.0.0',
  'MIT-0',
]);
const mark = '<!-- generated: npm run docs -->';
const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'THIRD_PARTY_NOTICES.md');

const before = readFileSync(page, 'utf8');
const own = before.split(mark)[0].trimEnd();
const bundled = listBundled();
const installed = listInstalled();
const joined = installed.filter(({ name }) => joinedPackages.includes(name));
for (const { name, version, license } of [...bundled, ...installed])
  if (!allowed.has(license))
    throw new Error(`${name} ${version} has the licence ${license}, which nobody has looked at`);

const text = `${own}

${mark}

## Code in the panel

The files of the panel contain code of these packages.

${listLicences(bundled, 'panel')}

## Code in dist/bundle

Helve's own files contain code of these packages, which npm also installs.

${listLicences(joined, '.')}

## Packages that npm installs with Helve

They are not in the package of Helve; each has its licence in it.

| package | version | licence |
| --- | --- | --- |
${installed.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`).join('\n')}
`;

if (!process.argv.includes('--check')) writeFileSync(page, text);
else if (text !== before) {
  console.error('THIRD_PARTY_NOTICES.md is not up to date: npm run docs');
  process.exitCode = 1;
}

/** Packages with the same text share it. `folder` has the packages' `node_modules`. */
function listLicences(packages, folder) {
  const texts = new Map();
  for (const { name, version, license, path } of packages) {
    const text = readLicence(join(root, folder, path));
    texts.set(text, [...(texts.get(text) ?? []), `- ${name} ${version}, ${license}`]);
  }
  return [...texts].map(([text, names]) => `${names.join('\n')}\n\n\`\`\`text\n${text}\n\`\`\``).join('\n\n');
}

function readLicence(folder) {
  if (!existsSync(folder)) throw new Error(`${folder} is not installed: node scripts/build-panel.js --tools`);
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) throw new Error(`${folder} has no file with its licence`);
  return readFileSync(join(folder, file), 'utf8').replaceAll('\r', '').trim();
}
