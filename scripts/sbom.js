// Prints what an installation consists of as CycloneDX: the packages that npm installs with Helve (`npm sbom`), and those whose code
// is in the files of the panel.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { listBundled } from './shipped-packages.js';

const options = ['--package-lock-only', '--omit=dev', '--sbom-type=application', '--sbom-format=cyclonedx'];
const { status, stdout, stderr } = spawnSync('npm', ['sbom', ...options], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  encoding: 'utf8',
  maxBuffer: 2 ** 27,
});
if (status !== 0) {
  console.error(stderr || stdout);
  process.exit(1);
}
const bill = JSON.parse(stdout);
for (const { name, version, license, integrity } of listBundled()) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  bill.components.push({
    'bom-ref': `panel/${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl,
    properties: [{ name: 'helve:bundled-in', value: 'dist/panel' }],
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    licenses: [{ license: { id: license } }],
  });
}
console.log(JSON.stringify(bill, null, 2));
