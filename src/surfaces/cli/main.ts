/** The command line: thin commands over the typed client; only `serve` has a plane of its own. */
import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { readEnvironment } from '../../config/index.js';
import { addAdmin } from './commands/admin.js';
import { addAgents } from './commands/agents.js';
import { addApprovals } from './commands/approvals.js';
import { addAudit } from './commands/audit.js';
import { addAuth } from './commands/auth.js';
import { addBackup } from './commands/backup.js';
import { addCall } from './commands/call.js';
import { addCheck } from './commands/check.js';
import { addCompletion } from './commands/completion.js';
import { addConfig } from './commands/config.js';
import { addConnections } from './commands/connections.js';
import { addDoctor } from './commands/doctor.js';
import { addExplain } from './commands/explain.js';
import { addGrants } from './commands/grants.js';
import { addKnowledge } from './commands/knowledge.js';
import { addMove } from './commands/move.js';
import { addNotifications } from './commands/notifications.js';
import { addPolicies } from './commands/policies.js';
import { addRecipe } from './commands/recipe.js';
import { addRun } from './commands/run.js';
import { addRuns } from './commands/runs.js';
import { addServe } from './commands/serve.js';
import { addTask } from './commands/task.js';
import { addToolkits } from './commands/toolkits.js';
import { addTools } from './commands/tools.js';
import { addTypes } from './commands/types.js';
import { addUpgrade } from './commands/upgrade.js';
import { addUsers } from './commands/users.js';
import { addWorkspaces } from './commands/workspaces.js';
import { fail } from './context.js';
import { asUsageError } from './usage-error.js';

function createProgram(): Command {
  const environment = readEnvironment();
  const settings = { dataDir: environment.dataDir };
  const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };
  const program = new Command('helve')
    .description('A self-hosted tool plane for AI agents')
    .version(version, '-V, --version', 'print the version')
    // A wrong command is reported like any other error; help is printed only on request.
    .exitOverride()
    .configureOutput({ outputError: () => undefined, writeErr: () => undefined });
  addServe(program, environment);
  addBackup(program, environment);
  addMove(program, environment);
  addUpgrade(program, environment);
  addCompletion(program);
  for (const add of [
    addCall,
    addTools,
    addTypes,
    addCheck,
    addRun,
    addRuns,
    addTask,
    addRecipe,
    addGrants,
    addPolicies,
    addAgents,
    addUsers,
    addWorkspaces,
    addNotifications,
    addExplain,
    addApprovals,
    addAudit,
    addAdmin,
    addDoctor,
    addConfig,
    addConnections,
    addToolkits,
    addAuth,
    addKnowledge,
  ])
    add(program, settings);
  return program;
}

// A reader that stops early (`helve audit | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

await runProgram();

/** Never rejects: an error is printed and becomes the exit code, also that of a setting in the environment. */
async function runProgram(): Promise<void> {
  let program: Command | undefined;
  try {
    program = createProgram();
    await program.parseAsync();
  } catch (error) {
    const isHelp = error instanceof CommanderError && error.exitCode === 0;
    const problem = program === undefined ? error : asUsageError(error, program, process.argv.slice(2));
    if (!isHelp) fail(problem, { json: process.argv.includes('--json') });
  }
}
