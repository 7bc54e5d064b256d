/** Turns the input of tools into that of Linear: names become ids; null stays null, which removes a value. */
import { defined } from '../../util/defined.js';
import type { Linear } from './client.js';
import { resolveIssue, resolveLabels, resolvePerson, resolveProject, resolveState } from './resolve.js';

type Settable = string | null | undefined;

export interface IssueValues {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly state?: string | undefined;
  readonly assignee?: Settable;
  readonly priority?: number | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly add_labels?: readonly string[] | undefined;
  readonly remove_labels?: readonly string[] | undefined;
  readonly estimate?: number | null | undefined;
  readonly due_date?: Settable;
  readonly parent?: Settable;
  readonly project?: Settable;
  readonly cycle_id?: Settable;
}

export async function toIssueInput(linear: Linear, values: IssueValues, teamId: string): Promise<object> {
  const labels = (names: readonly string[] | undefined) => names && resolveLabels(linear, names, teamId);
  return defined({
    title: values.title,
    description: values.description,
    priority: values.priority,
    estimate: values.estimate,
    dueDate: values.due_date,
    cycleId: values.cycle_id,
    stateId: values.state === undefined ? undefined : await resolveState(linear, values.state, teamId),
    assigneeId: await ifNamed(values.assignee, (person) => resolvePerson(linear, person)),
    projectId: await ifNamed(values.project, (project) => resolveProject(linear, project)),
    parentId: await ifNamed(values.parent, async (parent) => (await resolveIssue(linear, parent)).id),
    labelIds: await labels(values.labels),
    addedLabelIds: await labels(values.add_labels),
    removedLabelIds: await labels(values.remove_labels),
  });
}

async function ifNamed(value: Settable, find: (name: string) => Promise<string>): Promise<Settable> {
  return typeof value === 'string' ? find(value) : value;
}
