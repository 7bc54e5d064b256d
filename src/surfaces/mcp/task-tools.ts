/** The tools of the task door. Each runs one act of the plane, which checks the permissions of the caller. */
import { z } from 'zod';
import {
  assignBody,
  commentBody,
  issue,
  issueChangesBody,
  issueComment,
  issueList,
  issueParams,
  issuesQuery,
  newIssueBody,
  readShape,
} from '../../api/index.js';
import { type Access, acts } from '../../domain/acts.js';
import { type ErrorCode, HelveError } from '../../domain/errors.js';
import type { IssueActs, IssueChanges, NewIssue } from '../../domain/issue-acts.js';
import type { JsonSchema, JsonValue } from '../../domain/json.js';
import type { Plane } from '../../domain/plane.js';
import type { Principal } from '../../domain/principal.js';
import type { ToolAnnotations } from '../../domain/tool.js';
import { cut, errorText, type McpTool } from '../../formats/index.js';
import { defined } from '../../util/defined.js';
import type { OwnCall, OwnResult, OwnTools } from './own-tools.js';
import { issueAddress } from './task-resources.js';
import { waitForIssue, waitInput } from './task-wait.js';

interface TaskTool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly act: keyof IssueActs;
  readonly hints: Partial<ToolAnnotations>;
  readonly input: Input;
  readonly output: z.ZodObject;
  run(plane: Plane, call: OwnCall, input: z.output<Input>): Promise<object>;
}

/** The type of the input is checked here; the list holds tools with different ones. */
const define = <Input extends z.ZodObject>(tool: TaskTool<Input>) => tool as unknown as TaskTool;

const reads = { readOnlyHint: true, idempotentHint: true };
const withId = <Shape extends z.core.$ZodShape>(shape: Shape) => z.strictObject({ ...issueParams.shape, ...shape });
const onlyId = z.strictObject(issueParams.shape);
/** The fields of an issue in a list; `get_issue` returns all. */
const listed = issue.omit({ body: true, tools: true, checks: true, limits: true, verification: true });
const issuesInput = issuesQuery.extend({ limit: z.int().min(1).max(200).optional().describe('Default 50') });

const tools: readonly TaskTool[] = [
  define({
    name: 'create_issue',
    title: 'File an issue',
    description: 'Files an issue. No agent works on it until it is assigned to one (assign_issue).',
    act: 'createIssue',
    hints: {},
    input: newIssueBody,
    output: issue,
    run: (plane, { principal }, input) => plane.createIssue(principal, defined(input) as NewIssue),
  }),
  define({
    name: 'list_issues',
    title: 'List issues',
    description: 'Lists the issues of the workspace, newest first, without their texts (get_issue).',
    act: 'listIssues',
    hints: reads,
    input: issuesInput,
    output: issueList.extend({ issues: z.array(listed) }),
    run: async (plane, { principal }, input) => {
      const { issues, next } = await plane.listIssues(principal, defined(input));
      return { issues: z.array(listed).parse(issues), ...defined({ next }) };
    },
  }),
  define({
    name: 'get_issue',
    title: 'Read an issue',
    description: 'Reads one issue: what was asked for, its state, what it waits for, and what was delivered.',
    act: 'getIssue',
    hints: reads,
    input: onlyId,
    output: issue,
    run: (plane, { principal }, { id }) => plane.getIssue(principal, id),
  }),
  define({
    name: 'update_issue',
    title: 'Change an issue',
    description: 'Changes the given fields of an issue that is not done, and leaves the rest as it is.',
    act: 'updateIssue',
    hints: { idempotentHint: true },
    input: withId(issueChangesBody.shape),
    output: issue,
    run: (plane, { principal }, { id, ...changes }) =>
      plane.updateIssue(principal, id, defined(changes) as IssueChanges),
  }),
  define({
    name: 'comment_issue',
    title: 'Comment on an issue',
    description: 'Adds a comment to an issue. Its agent reads comments.',
    act: 'commentIssue',
    hints: {},
    input: withId(commentBody.shape),
    output: issueComment,
    run: (plane, { principal }, { id, text }) => plane.commentIssue(principal, id, text),
  }),
  define({
    name: 'assign_issue',
    title: 'Assign an issue',
    description:
      'Gives an issue to an agent, which begins at once and acts for the caller, with the caller’s accounts.',
    act: 'assignIssue',
    hints: {},
    input: withId(assignBody.shape),
    output: issue,
    run: (plane, { principal }, { id, agent, tools: narrowed }) =>
      plane.assignIssue(principal, id, { agent, ...defined({ tools: narrowed && defined(narrowed) }) }),
  }),
  define({
    name: 'unassign_issue',
    title: 'Unassign an issue',
    description: 'Takes an issue from its agent. Its work is stopped.',
    act: 'unassignIssue',
    hints: { destructiveHint: true },
    input: onlyId,
    output: issue,
    run: (plane, { principal }, { id }) => plane.unassignIssue(principal, id),
  }),
  define({
    name: 'retry_issue',
    title: 'Retry an issue',
    description: 'Starts work again on an issue that has failed or was cancelled, for the same person as before.',
    act: 'retryIssue',
    hints: {},
    input: onlyId,
    output: issue,
    run: (plane, { principal }, { id }) => plane.retryIssue(principal, id),
  }),
  define({
    name: 'cancel_issue',
    title: 'Cancel an issue',
    description: 'Cancels an issue that is not done. Its work is stopped. It can be retried.',
    act: 'cancelIssue',
    hints: { destructiveHint: true },
    input: onlyId,
    output: issue,
    run: (plane, { principal }, { id }) => plane.cancelIssue(principal, id),
  }),
  define({
    name: 'wait_for_issue',
    title: 'Wait for an issue',
    description:
      'Waits until an issue leaves its state, and returns it. Returns at once if it is done, failed or cancelled; ' +
      '`changed` is false if nothing changed in time, and you can wait again.',
    act: 'followIssue',
    hints: reads,
    input: waitInput,
    output: z.object({ changed: z.boolean(), issue }),
    run: (plane, call, input) => waitForIssue(plane, call, input),
  }),
];

/** `maxChars`: how many characters of text a result may have. */
export function createTaskTools(plane: Plane, maxChars: number): OwnTools {
  const described = tools.map((tool) => ({ act: tool.act, shown: describe(tool) }));
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    list: (principal) => described.filter(({ act }) => mayRun(principal, act)).map(({ shown }) => shown),
    async call(call) {
      const tool = byName.get(call.name);
      if (tool === undefined) return undefined;
      try {
        return success(await run(plane, tool, call), maxChars);
      } catch (error) {
        if (!(error instanceof HelveError) || error.code === 'internal') throw error;
        return failure(error, maxChars);
      }
    },
  };
}

/** Only for the list; the plane checks each call. */
function mayRun({ permissions }: Principal, act: keyof IssueActs): boolean {
  const access: Access = acts[act].permissions;
  return 'every' in access && access.every((permission) => permissions.includes(permission));
}

function describe({ name, title, description, hints, input, output }: TaskTool): McpTool {
  const annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
  return {
    name,
    title,
    description,
    inputSchema: toSchema(input),
    outputSchema: toSchema(output),
    annotations: { title, ...annotations, ...hints },
  };
}

/** Closes input schemas only, so that an output stays open to new properties. */
function toSchema(shape: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io: 'input' });
  return schema as JsonSchema;
}

async function run(plane: Plane, { name, input, run: act }: TaskTool, call: OwnCall): Promise<object> {
  const hint = `tools/list gives the input of ${name}.`;
  return act(plane, call, readShape(input, call.input, { part: 'input', hint }));
}

function success(value: object, maxChars: number): OwnResult {
  // Converted to JSON, which drops members that are undefined.
  const text = JSON.stringify(value);
  const structured = JSON.parse(text) as JsonValue;
  const id = 'id' in value && 'state' in value ? String(value.id) : undefined;
  const rest = id === undefined ? '' : ` All of it: the resource ${issueAddress(id)}.`;
  return { text: cut(text, maxChars, () => rest), structured };
}

const nextSteps: Partial<Record<ErrorCode, string>> = {
  not_found: 'list_issues lists the issues of your workspace.',
  conflict: 'get_issue returns the state of the issue.',
};

function failure(error: HelveError, maxChars: number): OwnResult {
  const { code, message, retryable, details } = error;
  const hint = error.hint ?? nextSteps[code];
  return {
    text: cut(errorText({ code, message, retryable, ...defined({ hint, details }) }), maxChars, () => ''),
    isError: true,
    meta: { code, retryable, ...defined({ details }) },
  };
}
