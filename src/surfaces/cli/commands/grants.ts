/** `helve grants <agent>`: what an agent may use; `helve grant` and `helve revoke` change it. */
import type { Command } from 'commander';
import type { HelveClient } from '../../../client/index.js';
import { HelveError } from '../../../spec/errors.js';
import { accountLine } from '../../../util/acting-account.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';
import { printable } from '../print.js';

export function addGrants(program: Command, settings: CliSettings): void {
  withSharedOptions(program.command('grants [agent]').description('show what an agent may use'), settings).action(
    action<[string | undefined]>(async ({ client, output }, agent) => {
      const names =
        agent === undefined ? (await client.call('GET /api/agents')).agents.map(({ slug }) => slug) : [agent];
      const rows = (await Promise.all(names.map((name) => grantRows(client, name)))).flat();
      output.table(rows, ['agent', 'toolkit', 'tool', 'risk', 'granted'], 'No agents.');
    }),
  );
  addChange(program, settings, 'grant', 'let an agent use tools', (had, wanted) => new Set([...had, ...wanted]));
  addChange(
    program,
    settings,
    'ungrant',
    'take tools from an agent',
    (had, wanted) => new Set([...had].filter((tool) => !wanted.has(tool))),
  );
}

async function grantRows(client: HelveClient, agent: string) {
  const { entries } = await client.call('GET /api/agents/:agent/grants', { params: { agent } });
  return entries.flatMap(({ toolkit, tools }) =>
    tools.map(({ modelName, risk, granted }) => ({
      agent,
      toolkit: toolkit.slug,
      tool: modelName,
      risk,
      granted: granted ? 'yes' : 'no',
    })),
  );
}

/** A toolkit, or one account of it. */
function targetOf(toolkit: string, connectionId: string | undefined): string {
  return connectionId === undefined ? toolkit : `${toolkit}\n${connectionId}`;
}

function fromTarget(target: string): { toolkit: string; connectionId?: string } {
  const [toolkit = '', connectionId] = target.split('\n');
  return connectionId === undefined ? { toolkit } : { toolkit, connectionId };
}

type Change = (had: ReadonlySet<string>, wanted: ReadonlySet<string>) => ReadonlySet<string>;

function addChange(program: Command, settings: CliSettings, name: string, description: string, change: Change): void {
  withSharedOptions(program.command(`${name} <agent> <tools...>`).description(description), settings).action(
    action<[string, string[]]>(async ({ client, output }, agent, tools) => {
      const params = { agent };
      const { entries, grants, version } = await client.call('GET /api/agents/:agent/grants', { params });
      const known = new Map(
        entries.flatMap(({ toolkit, connectionId, tools: all }) =>
          all.map((tool) => [tool.modelName, { target: targetOf(toolkit.slug, connectionId), name: tool.name }]),
        ),
      );
      const unknown = tools.find((tool) => !known.has(tool));
      if (unknown !== undefined)
        throw new HelveError('invalid_input', `There is no tool ${unknown}`, {
          hint: `There are ${[...known.keys()].join(', ')}.`,
        });
      const wantedIn = (target: string) =>
        new Set(tools.flatMap((tool) => (known.get(tool)?.target === target ? [known.get(tool)?.name ?? ''] : [])));
      const ofGrant = (grant: (typeof grants)[number]) => targetOf(grant.toolkit, grant.connectionId);
      const targets = new Set([...grants.map(ofGrant), ...[...known.values()].map((tool) => tool.target)]);
      const next = [...targets].flatMap((target) => {
        const present = grants.find((grant) => ofGrant(grant) === target);
        const set = [...change(new Set(present?.tools), wantedIn(target))];
        const keep = <T>(of: Readonly<Record<string, T>> | undefined) =>
          Object.fromEntries(Object.entries(of ?? {}).filter(([tool]) => set.includes(tool)));
        return set.length === 0
          ? []
          : [{ ...fromTarget(target), tools: set, limits: keep(present?.limits), config: keep(present?.config) }];
      });
      const stored = await client.call('PUT /api/agents/:agent/grants', {
        params,
        body: { grants: next },
        ifMatch: version,
      });
      output.value(
        stored,
        `${agent} may now use ${
          next
            .flatMap((grant) => grant.tools)
            .sort()
            .join(', ') || 'nothing'
        }.${stored.grants.flatMap(({ account }) => (account ? [`\n  acts with ${printable(accountLine(account))}`] : [])).join('')}`,
      );
    }),
  );
}
