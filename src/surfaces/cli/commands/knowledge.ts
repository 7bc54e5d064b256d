/** `helve knowledge …`: imports local files through the `ingest_document` tool, and lists and searches what was imported. */
import type { Command } from 'commander';
import type { HelveClient } from '../../../api/index.js';
import { HelveError } from '../../../domain/errors.js';
import { defined } from '../../../util/defined.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';
import { callTool } from '../knowledge/call-tool.js';
import { ingestAll, tellNotes } from '../knowledge/ingest.js';
import { findFiles } from '../knowledge/local-files.js';
import { wholeNumber } from '../numbers.js';
import { type Output, printable } from '../print.js';
import { createProgress } from '../progress.js';

interface AgentOption {
  readonly agent?: string;
}

interface IngestOptions extends AgentOption {
  readonly prefix?: string;
  readonly caption?: string;
  readonly force?: boolean;
}

interface Listed {
  readonly sources: { path: string; media_type: string; elements: Record<string, number>; updated_at: string }[];
  readonly truncated: boolean;
}

interface Found {
  readonly hits: { source: string; place: { text: string }; type: string; snippet: string }[];
}

export function addKnowledge(program: Command, settings: CliSettings): void {
  const group = program.command('knowledge').description('ingest, list and search documents of the workspace');
  const add = (usage: string, about: string): Command =>
    withSharedOptions(group.command(usage).description(about), settings).option('--agent <name>', 'act as this agent');

  add('ingest <paths...>', 'ingest files and folders; unchanged files are skipped, so you can stop and repeat a run')
    .option('--prefix <prefix>', 'put this before the name of each source, e.g. handbook/')
    .option('--caption <text>', 'describes an image; only for a single file')
    .option('--force', 'send unchanged files too')
    .action(
      action<[string[], IngestOptions]>(async ({ client, output }, paths, options) =>
        ingest(client, output, paths, options),
      ),
    );
  add('list [prefix]', 'list the sources').action(
    action<[string | undefined, AgentOption]>(async ({ client, output }, prefix, { agent }) => {
      const rows: Listed['sources'] = [];
      for await (const page of pages(client, agent, prefix)) rows.push(...page);
      const shown = rows.map(({ elements, ...row }) => ({ ...row, elements: counted(elements) }));
      output.table(
        output.json ? rows : shown,
        ['path', 'media_type', 'elements', 'updated_at'],
        'Nothing has been ingested yet.',
      );
    }),
  );
  add('search <query>', 'search everything that was ingested')
    .option('--limit <n>', 'most hits', wholeNumber, 10)
    .action(
      action<[string, AgentOption & { limit: number }]>(async ({ client, output }, query, { agent, limit }) => {
        const answer = await callTool<Found>(client, 'search_knowledge', { query, limit }, { agent });
        const text = answer.hits.map(({ source, place, type, snippet }) => {
          const lines = snippet.split('\n').map((line) => `    ${line}`);
          return [`${source} (${type}, ${place.text})`, ...lines].join('\n');
        });
        output.value(answer, printable(text.join('\n\n')) || 'Nothing was found.');
      }),
    );
}

async function* pages(client: HelveClient, agent: string | undefined, prefix?: string) {
  for (let after: string | undefined; ; ) {
    const input = {
      limit: 500,
      ...defined({ prefix, after }),
    };
    const page = await callTool<Listed>(client, 'list_knowledge', input, { agent });
    yield page.sources as (Listed['sources'][number] & { hash: string })[];
    after = page.sources.at(-1)?.path;
    if (!page.truncated || after === undefined) return;
  }
}

async function ingest(client: HelveClient, output: Output, paths: string[], options: IngestOptions): Promise<void> {
  const { agent, prefix = '', caption, force = false } = options;
  const files = await findFiles(paths, prefix);
  if (caption !== undefined && files.length !== 1) {
    throw new HelveError('invalid_input', `--caption works with one file, but there are ${files.length}`, {
      hint: 'Put the caption of image.png into image.png.caption beside it.',
    });
  }
  const hashes = new Map<string, string>();
  if (!force) for await (const page of pages(client, agent)) for (const { path, hash } of page) hashes.set(path, hash);
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt);
  const progress = createProgress(output);
  try {
    const done = await ingestAll({ client, agent, files, caption, hashes, signal: stop.signal, progress });
    progress.end();
    const summary = `${done.ingested} ingested, ${done.unchanged} unchanged, ${done.failed.length} failed`;
    const end = done.stopped ? `${summary}. Stopped; run the same command again to continue.` : `${summary}.`;
    output.value(done, [...tellNotes(done.notes), end].join('\n'));
    if (done.stopped) process.exitCode = 130;
    else if (done.failed.length > 0) process.exitCode = 1;
  } finally {
    progress.end();
    process.off('SIGINT', interrupt);
  }
}

function counted(elements: Record<string, number>): string {
  const parts = Object.entries(elements).map(([type, count]) => `${count} ${type}`);
  return parts.join(', ') || 'nothing';
}
