/** The import directions of docs/house.md. `tests/commands/import-rules.test.ts` plants a breach of each. */
const ground = ['domain', 'util', 'schema'];
const areas = [
  'registry',
  'grants',
  'policies',
  'approvals',
  'principals',
  'connections',
  'catalogue',
  'discovery',
  'audit',
  'tasks',
];
const adapters = [
  'config',
  'storage',
  'vault',
  'walls',
  'providers',
  'toolkits',
  'checker',
  'actors',
  'workers',
  'telemetry',
];
const below = [...ground, ...areas, ...adapters, 'flows'];

/** Which folders each folder may import, besides itself. A folder that is not here may import nothing. */
const allowed = {
  domain: [],
  util: ['domain'],
  schema: ['domain', 'util'],
  ...Object.fromEntries(areas.map((area) => [area, ground])),
  config: ground,
  storage: ground,
  vault: ground,
  'walls/egress': ground,
  'walls/files': ground,
  'walls/commands': ground,
  'walls/sandbox': ground,
  'walls/browser': [...ground, 'walls/egress'],
  'providers/native': ground,
  'providers/openapi': ground,
  'providers/openapi-directory': [...ground, 'providers/openapi'],
  'providers/mcp': ground,
  'providers/composio': ground,
  toolkits: ground,
  checker: ['domain', 'util'],
  actors: ground,
  workers: ground,
  telemetry: ground,
  // Of the last three only types, which scripts/check-house.js sees to: their values arrive as arguments.
  flows: [...ground, ...areas, 'config', 'vault', 'walls/egress'],
  formats: ground,
  api: ground,
  sdk: [...ground, 'formats', 'api'],
  plane: below,
  'surfaces/http': [...ground, 'formats', 'api'],
  'surfaces/mcp': [...ground, 'formats', 'api'],
  'surfaces/cli': [...ground, 'formats', 'api', 'config', 'plane/maintenance'],
};
const serve = '^src/surfaces/cli/commands/serve\\.ts$';
const tests = ['\\.test\\.ts$', '/testing/', '^src/testing/'];

const directions = Object.entries(allowed).map(([folder, mayImport]) => ({
  name: `direction-${folder.replace('/', '-')}`,
  severity: 'error',
  comment: `docs/house.md: src/${folder}/ may import only itself and ${mayImport.join(', ') || 'nothing'}`,
  from: { path: `^src/${folder}/`, pathNot: [...tests, serve] },
  to: {
    path: '^src/',
    pathNot: [folder, ...mayImport].map((one) => `^src/${one}/`),
  },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: { path: '^src' }, to: { circular: true } },
    ...directions,
    {
      name: 'no-folder-without-rules',
      severity: 'error',
      comment: 'Add the folder to `allowed` in .dependency-cruiser.cjs and to the table in docs/house.md',
      from: {
        path: '^src/[^/]+/',
        pathNot: [...tests, ...Object.keys(allowed).map((folder) => `^src/${folder}/`), '^src/toolkits/'],
      },
      to: {},
    },
    {
      name: 'direction-root',
      severity: 'error',
      comment: 'docs/house.md: helve.ts wires what is below it and knows no door',
      from: { path: '^src/helve\\.ts$' },
      to: { path: '^src/', pathNot: [...below, 'plane'].map((folder) => `^src/${folder}/`) },
    },
    {
      name: 'direction-serve',
      severity: 'error',
      comment: 'docs/house.md: of all surfaces only cli/commands/serve.ts sees helve.ts and the other surfaces',
      from: { path: serve },
      to: {
        path: '^src/',
        pathNot: [...ground, 'formats', 'api', 'config', 'surfaces']
          .map((folder) => `^src/${folder}/`)
          .concat('^src/helve\\.ts$'),
      },
    },
    {
      name: 'one-door-a-folder',
      severity: 'error',
      comment: 'docs/house.md: from outside, a folder is entered by its index.ts',
      from: { path: '^src/([^/]+)/', pathNot: tests },
      to: {
        path: `^src/(${[...areas, 'config', 'storage', 'vault', 'checker', 'actors', 'telemetry', 'schema', 'formats', 'api', 'sdk'].join('|')})/`,
        // The client without the shapes, which load Zod: a command starts without it.
        pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$', '^src/api/client\\.ts$'],
      },
    },
    {
      name: 'one-door-a-room',
      severity: 'error',
      comment: 'docs/house.md: a room of flows/, walls/, providers/ or surfaces/ is entered by its index.ts',
      from: { path: '^src/([^/]+/[^/]+)', pathNot: tests },
      to: {
        path: '^src/(flows|walls|providers|surfaces)/[^/]+/',
        pathNot: ['^src/$1/', '^src/(flows|walls|providers|surfaces)/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'toolkits-stand-alone',
      severity: 'error',
      comment: 'docs/house.md: what two toolkits share is in util',
      from: { path: '^src/toolkits/([^/]+)/', pathNot: tests },
      to: { path: '^src/toolkits/', pathNot: '^src/toolkits/$1/' },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: { path: '^src', pathNot: tests },
      to: { path: tests },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'default'],
    },
  },
};
