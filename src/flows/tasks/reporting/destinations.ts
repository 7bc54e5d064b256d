/** The calls that write an outcome back to each service. Facts that they need are read first, through the same tools. */
import type { ToolResult } from '../../../domain/execution.js';
import type { JsonObject } from '../../../domain/json.js';
import type { TaskSourceProvider } from '../../../domain/task-source.js';
import type { FixedCall } from '../../runs/index.js';
import { readGitHubPlace } from '../repo-name.js';
import type { OutcomeState } from './outcome.js';

export interface Report {
  /** Reference of the issue. */
  readonly ref: string;
  readonly state: OutcomeState;
  /** Markdown. */
  readonly text: string;
  /** Calls a tool of the service with the account of the source, as its person. */
  readonly read: (tool: string, input: JsonObject) => Promise<ToolResult>;
}

/** The calls, with the names that the tools have in their toolkit. Undefined for a reference of another service. */
type Destination = (report: Report) => Promise<readonly FixedCall[] | undefined>;

const states: readonly OutcomeState[] = ['blocked', 'failed', 'done'];
const labelOf = (state: OutcomeState): string => `helve:${state}`;

/** A comment, and the label of this state in place of the labels of other states. */
async function reportToGitHub({ ref, state, text, read }: Report): Promise<readonly FixedCall[] | undefined> {
  const place = readGitHubPlace(ref);
  if (!place) return undefined;
  const issue = { owner: place.owner, repo: place.repo, issue_number: place.number };
  const found = await read('get_issue', issue);
  const { issue: known } = (found.ok ? found.output : {}) as { issue?: { labels?: readonly string[] } };
  // If it may not be read, a label could be there.
  const others = states.filter((one) => one !== state && (known?.labels?.includes(labelOf(one)) ?? true));
  return [
    { tool: 'create_issue_comment', input: { ...issue, body: text } },
    ...others.map((one) => ({ tool: 'remove_issue_label', input: { ...issue, label: labelOf(one) } })),
    { tool: 'add_issue_labels', input: { ...issue, labels: [labelOf(state)] } },
  ];
}

const linearRef = /^linear:(?<id>(?<team>[A-Z][A-Z0-9]*)-\d+)$/;

interface WorkflowState {
  readonly id: string;
  readonly type: string;
  readonly position?: number;
}

/** A comment; for a finished issue also the first state of the team that means finished. */
async function reportToLinear({ ref, state, text, read }: Report): Promise<readonly FixedCall[] | undefined> {
  const { id, team } = linearRef.exec(ref)?.groups ?? {};
  if (id === undefined || team === undefined) return undefined;
  const comment: FixedCall = { tool: 'create_comment', input: { issue: id, body: text } };
  if (state !== 'done') return [comment];
  const found = await read('list_workflow_states', { team });
  const all = found.ok ? (found.output as unknown as { readonly states: readonly WorkflowState[] }).states : [];
  const [completed] = all
    .filter(({ type }) => type === 'completed')
    .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
  if (!completed) return [comment];
  return [comment, { tool: 'update_issue_status', input: { id, state: completed.id } }];
}

export const destinations: Readonly<Record<TaskSourceProvider, Destination>> = {
  github: reportToGitHub,
  linear: reportToLinear,
  // There is nowhere to write an answer to an event.
  trigger: async () => undefined,
};
