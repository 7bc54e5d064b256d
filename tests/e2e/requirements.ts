/**
 * The requirements as data. A test cites the ids it shows in its title; `requirements.test.ts` fails
 * for an id that does not exist, for a required one that no test cites, and for a scenario in this
 * folder that cites none.
 *
 * `now`: this release shows it. `part`: some of it, as `note` says. `later`: not yet; no test may claim it.
 */
export interface Requirement {
  readonly state: 'now' | 'part' | 'later';
  readonly note?: string;
}

export const requirements: Readonly<Record<string, Requirement>> = {
  'R-registry': { state: 'now' },
  'R-priority': { state: 'now' },
  'R-pipeline': { state: 'now' },
  'R-format': { state: 'now' },
  'R-handles': { state: 'now' },
  'R-context': { state: 'now' },
  'R-stream': { state: 'now' },
  'R-calculate': { state: 'now' },
  'R-http': { state: 'now' },
  'R-files': { state: 'now' },
  'R-shell': { state: 'now' },
  'R-web-search': { state: 'now' },
  'R-browser': { state: 'now' },
  'R-kv': { state: 'now' },
  'R-email': { state: 'now' },
  'R-webhook': { state: 'now' },
  'R-librarian': { state: 'now' },
  'R-documents': { state: 'now' },
  'R-ssh': { state: 'now' },
  'R-database': { state: 'now' },
  'R-knowledge': { state: 'now' },
  'R-code-tools': { state: 'later' },
  'R-tool-config': { state: 'now' },
  'R-google-gmail': { state: 'now' },
  'R-google-sheets': { state: 'now' },
  'R-google-calendar': { state: 'now' },
  'R-telegram': { state: 'now' },
  'R-smtp': { state: 'now' },
  'R-github': { state: 'now' },
  'R-linear': { state: 'now' },
  'R-slack': { state: 'now' },
  'R-stripe': { state: 'now' },
  'R-openapi': { state: 'now' },
  'R-mcp-client': { state: 'now' },
  'R-composio-client': { state: 'now' },
  'R-sync': { state: 'now' },
  'R-cache-tables': { state: 'now' },
  'R-schema': { state: 'now' },
  'R-tiers': { state: 'now' },
  'R-hints': { state: 'now' },
  'R-capability': { state: 'now' },
  'R-abstain': { state: 'now' },
  'R-meta-tools': { state: 'part', note: 'search, describe and call; running code comes with code mode' },
  'R-oauth': { state: 'now' },
  'R-vault': {
    state: 'part',
    note: 'sealed, rotated, shown nowhere; Composio’s and the code sandbox come with their issues',
  },
  'R-instances': { state: 'now' },
  'R-visibility': { state: 'now' },
  'R-oauth-kit': { state: 'now' },
  'R-grants': { state: 'part', note: 'toolkits that need no account; connections come with accounts' },
  'R-layers': { state: 'part', note: 'all layers but the connection' },
  'R-inheritance': { state: 'later' },
  'R-approval': { state: 'now' },
  'R-limits': { state: 'now' },
  'R-audit': { state: 'now' },
  'R-typedefs': { state: 'part', note: 'declarations of schemas; bindings come with code mode' },
  'R-sandbox': { state: 'later' },
  'R-durable-runs': { state: 'later' },
  'R-machines': { state: 'later' },
  'R-persistence': { state: 'later' },
  'R-agent-worker': { state: 'later' },
  'R-task-mcp': { state: 'later' },
  'R-rest': {
    state: 'part',
    note: 'all of the reference but search, tasks',
  },
  'R-mcp-server': { state: 'part', note: 'tokens and OAuth; meta-tools and code mode come with their issues' },
  'R-sdk': { state: 'now' },
  'R-panel': { state: 'later' },
  'R-cli': {
    state: 'part',
    note: 'serve, tools, call, grants, agents, approvals, audit, doctor, connections, auth, vault, definitions, sync, toolkits',
  },
};
