/** The directions of docs/house.md, held by machine. */
const floor = (name, from, allowed) => ({
  name,
  severity: 'error',
  comment: `docs/house.md: ${from} may import only ${allowed.join(', ')}`,
  from: { path: `^src/${from}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^src/', pathNot: [`^src/${from}/`, ...allowed.map((folder) => `^src/${folder}/`)] },
});
const ground = ['spec', 'util', 'schema'];
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: { path: '^src' }, to: { circular: true } },
    floor('spec', 'spec', []),
    floor('util', 'util', ['spec']),
    floor('schema', 'schema', ['spec', 'util']),
    ...[
      'registry',
      'grants',
      'policies',
      'approvals',
      'principals',
      'audit',
      'connections',
      'catalogue',
      'discovery',
    ].map((area) => floor(`area-${area}`, area, ground)),
    ...['storage', 'walls', 'providers', 'toolkits', 'config', 'vault'].map((adapter) =>
      floor(`adapter-${adapter}`, adapter, ground),
    ),
    floor('flow-execution', 'execution', ground),
    floor('edge-formats', 'formats', ground),
    floor('edge-client', 'client', ground),
    floor('edge-adapters', 'adapters', [...ground, 'formats', 'client']),
    floor('edge-legacy', 'legacy', [...ground, 'formats']),
    floor('surface-http', 'surfaces/http', [...ground, 'formats', 'client']),
    floor('surface-mcp', 'surfaces/mcp', [...ground, 'formats', 'client']),
    {
      name: 'only-serve-sees-the-root',
      severity: 'error',
      comment: 'docs/house.md: of all surfaces only cli/commands/serve.ts may import helve.ts',
      from: { path: '^src/surfaces/', pathNot: ['^src/surfaces/cli/commands/serve\\.ts$', '\\.test\\.ts$'] },
      to: { path: '^src/helve\\.ts$' },
    },
    {
      name: 'one-door-a-folder',
      severity: 'error',
      comment: 'docs/house.md: from outside, a folder is entered by its index.ts',
      from: { path: '^src/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^src/(registry|grants|policies|audit|connections|catalogue|discovery|vault|storage|execution|formats|client|legacy)/',
        pathNot: ['^src/$1/', '/index\\.ts$'],
      },
    },
    {
      name: 'toolkits-stand-alone',
      severity: 'error',
      comment: 'docs/house.md: what two toolkits share is in util',
      from: { path: '^src/toolkits/([^/]+)/', pathNot: ['\\.test\\.ts$', '/testing/'] },
      to: { path: '^src/toolkits/', pathNot: '^src/toolkits/$1/' },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: { path: '^src', pathNot: ['\\.test\\.ts$', '/testing/'] },
      to: { path: ['\\.test\\.ts$', '/testing/'] },
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
