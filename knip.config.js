// Dead code. What tests need is listed in tests/peers/package.json, which knip does not read: here it sees them as ignored, and
// says of one that nothing imports that it need not be. Those that are used by name only are listed with the file that does so.
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const peers = Object.keys(JSON.parse(read('tests/peers/package.json')).dependencies);

/** Programs and data, and the part of their name that the file has. */
const usedByName = {
  '@arethetypeswrong/cli': ['tests/e2e/package.test.ts', "'attw'"],
  '@biomejs/biome': ['package.json', 'biome'],
  '@cfworker/json-schema': ['src/schema/real.test.ts', '@cfworker/json-schema'],
  '@modelcontextprotocol/conformance': ['src/testing/conformance-suite.ts', '@modelcontextprotocol/conformance'],
  '@modelcontextprotocol/inspector': ['tests/e2e/support/inspector.ts', '@modelcontextprotocol/inspector'],
  '@modelcontextprotocol/server-filesystem': ['src/providers/mcp/stdio.test.ts', "official('server-filesystem')"],
  '@modelcontextprotocol/server-memory': ['src/providers/mcp/stdio.test.ts', "official('server-memory')"],
  '@stoplight/prism-cli': ['tests/counterparts/prism.ts', '@stoplight/prism-cli'],
  '@restatedev/restate-server-linux-x64': ['src/testing/restate.ts', '@restatedev/restate-server-'],
  'ajv-formats': ['src/schema/real.test.ts', "'ajv-formats'"],
  'axe-core': ['tests/panel/ground.ts', 'axe-core/axe.min.js'],
  'dependency-cruiser': ['package.json', 'depcruise'],
  'esbuild-wasm': ['src/toolkits/code/packages/install.ts', "'esbuild-wasm/package.json'"],
  knip: ['package.json', 'knip'],
  '@vscode/tree-sitter-wasm': ['src/util/packages.ts', '@vscode/tree-sitter-wasm'],
  'web-tree-sitter': ['src/util/packages.ts', 'web-tree-sitter'],
  publint: ['tests/e2e/package.test.ts', "'publint'"],
  'mcp-remote': ['tests/authorization/mcp-remote.test.ts', 'mcp-remote'],
};
const unused = Object.entries(usedByName).filter(
  ([name, [file, words]]) => !peers.includes(name) || !read(file).includes(words),
);
if (unused.length > 0) throw new Error(`Not used any more: ${unused.map(([name]) => name).join(', ')}`);

/** Types belong to a package that is used. */
const isTypes = (name) => name.startsWith('@types/');
const own = Object.keys(JSON.parse(read('package.json')).dependencies);
const typed = own.concat(peers, 'node');
const idleTypes = peers.filter((name) => isTypes(name) && !typed.includes(name.slice('@types/'.length)));
if (idleTypes.length > 0) throw new Error(`Types of nothing that is used: ${idleTypes.join(', ')}`);

const imported = peers.filter((name) => !isTypes(name) && !own.includes(name) && !Object.hasOwn(usedByName, name));

export default {
  entry: [
    'src/index.ts',
    'src/toolkits/math/calculate/index.ts',
    'src/walls/egress/public.ts',
    'src/walls/sandbox/engine/in-process.ts',
    'src/walls/sandbox/engine/in-thread.ts',
    'src/walls/sandbox/guest/open-door.ts',
    'src/walls/sandbox/public.ts',
    'src/domain/naming/index.ts',
    'src/testing/index.ts',
    'src/testing/{actor,issue}-child.ts',
    'src/formats/index.ts',
    'src/api/index.ts',
    'src/surfaces/cli/main.ts',
    'tests/**/*.ts',
    'bench/**/*.js',
    'bin/healthy.js',
    'scripts/*.js',
    'src/util/webhook-signature.ts',
    'src/toolkits/documents/render/index.ts',
    'src/sdk/ai-sdk.ts',
    'src/sdk/anthropic.ts',
    'src/sdk/claude-agent.ts',
    'src/sdk/cloudflare.ts',
    'src/sdk/code.ts',
    'src/sdk/langchain.ts',
    'src/sdk/mastra.ts',
    'src/sdk/openai.ts',
    'src/sdk/openai-agents.ts',
    'src/sdk/remote.ts',
    'examples/*/*.js',
    'src/schema/public.ts',
    'src/sdk/former-composio/index.ts',
    'src/providers/openapi-directory/summarise-document.ts',
    'src/providers/openapi/convert-document.ts',
    'src/toolkits/browser/extract-article.ts',
    'src/toolkits/code/packages/bundle-files.ts',
    'src/toolkits/code/packages/dependencies.ts',
    'src/toolkits/database/run-sqlite.ts',
    'src/toolkits/database/testing/unchecked-sqlite.ts',
    'src/util/extract/read.ts',
    'src/toolkits/knowledge/index/answer.ts',
    'src/toolkits/librarian/engine/answer.ts',
    'src/toolkits/results/search-json.ts',
    'src/toolkits/ssh/open-key.ts',
    'src/toolkits/web-search/engines/read-duckduckgo.ts',
    'src/util/sandbox/testing/hostile-worker.ts',
    'src/util/sandbox/worker-main.ts',
    'src/util/sandbox/worker-watch.ts',
    'src/util/program/erase-types.ts',
    'src/util/search-patterns.ts',
    'src/checker/thread.ts',
    'src/tasks/index.ts',
    'src/tasks/public.ts',
    'src/discovery/index.ts',
    'src/discovery/training.ts',
    'scripts/discovery/*.js',
    'scripts/mutation/*.js',
  ],
  vitest: true,
  project: ['src/**/*.ts', 'tests/**/*.ts', 'bench/**/*.js', 'scripts/**/*.js', 'bin/**/*.js', 'examples/**/*.js'],
  includeEntryExports: false,
  exclude: ['types'],
  // The last one comes with vitest.
  ignoreDependencies: [...imported, 'fontoxpath', 'rolldown'],
  // Without this, a peer that nothing imports is only a hint.
  treatConfigHintsAsErrors: true,
  ignoreBinaries: [
    'soffice',
    'pdftotext',
    'ssh-keygen',
    'mount',
    'umount',
    'faketime',
    'script',
    'systemd-analyze',
    'biome',
    'depcruise',
    'knip',
    'vitest',
  ],
};
