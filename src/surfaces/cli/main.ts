/** The command line: thin commands over the typed client; only `serve` has a plane of its own. */
import { Command } from 'commander';
import { readEnvironment } from '../../config/index.js';
import { addAdmin } from './commands/admin.js';
import { addAgents } from './commands/agents.js';
import { addApprovals } from './commands/approvals.js';
import { addAudit } from './commands/audit.js';
import { addAuth } from './commands/auth.js';
import { addCall } from './commands/call.js';
import { addConnections } from './commands/connections.js';
import { addDoctor } from './commands/doctor.js';
import { addGrants } from './commands/grants.js';
import { addKnowledge } from './commands/knowledge.js';
import { addPolicies } from './commands/policies.js';
import { addServe } from './commands/serve.js';
import { addToolkits } from './commands/toolkits.js';
import { addTools } from './commands/tools.js';
import { fail } from './context.js';
import { createOutput } from './print.js';

function createProgram(): Command {
  const environment = readEnvironment();
  const settings = { dataDir: environment.dataDir };
  const program = new Command('helve').description('A self-hosted tool plane for AI agents').showHelpAfterError();
  addServe(program, environment);
  for (const add of [
    addCall,
    addTools,
    addGrants,
    addPolicies,
    addAgents,
    addApprovals,
    addAudit,
    addAdmin,
    addDoctor,
    addConnections,
    addToolkits,
    addAuth,
    addKnowledge,
  ])
    add(program, settings);
  return program;
}

// Whoever reads only the beginning (`helve audit | head`) has had enough: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await createProgram().parseAsync();
} catch (error) {
  fail(error, createOutput(process.argv.includes('--json')));
}
