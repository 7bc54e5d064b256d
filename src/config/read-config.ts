/** Finds `helve.yaml`. The parser is loaded only if the file is not empty. */

import { existsSync, readFileSync } from 'node:fs';
import { defaultRunLimits } from '../domain/run.js';
import type { ConfigFile } from './config-file.js';
import {
  defaultDirectTools,
  defaultMostPending,
  defaultNotifications,
  defaultSessions,
  defaultTaskSettings,
} from './defaults.js';
import { environmentVariables, wantsTraces } from './environment.js';

const emptyConfig: Omit<ConfigFile, 'telemetry'> = {
  agents: [],
  limits: {},
  approvals: { elicitation: { enabled: true, agents: [] }, lifetimeMs: 60 * 60_000, maxPending: defaultMostPending },
  sessions: defaultSessions,
  identityProviders: [],
  egress: { allowedAddresses: [], blockedDomains: [] },
  toolkits: {},
  oauth: {},
  openapi: {},
  mcpServers: {},
  composio: {},
  openapiDirectory: {},
  discovery: { directTools: defaultDirectTools },
  code: { learnTypes: true, isolation: 'worker', limits: defaultRunLimits },
  tasks: defaultTaskSettings,
  notifications: defaultNotifications,
  models: {},
  settings: async () =>
    (await import('./config-file.js')).parseConfig('', 'helve.yaml', environmentVariables()).settings(),
  at: () => 'helve.yaml',
};

/** A missing file counts as empty. Throws `invalid_config`. */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  return readConfigText(existsSync(path) ? readFileSync(path, 'utf8') : '', path);
}

/** `file` is the name of the text in errors. Throws `invalid_config`. */
export async function readConfigText(
  text: string,
  file: string,
  variables = environmentVariables(),
): Promise<ConfigFile> {
  if (text.trim() === '')
    return { ...emptyConfig, telemetry: { traces: wantsTraces(variables) ? { sample: 1 } : undefined } };
  const { parseConfig } = await import('./config-file.js');
  return parseConfig(text, file, variables);
}
