/** Issues as MCP resources: `helve://issues/<id>`, with its timeline, and with updates after each of its events. */
import { HelveError } from '../../domain/errors.js';
import type { Plane } from '../../domain/plane.js';
import type { Principal } from '../../domain/principal.js';
import type { McpExtras } from './extras.js';

type Resources = NonNullable<McpExtras['resources']>;
type Issues = Pick<Plane, 'listIssues' | 'getIssue' | 'getIssueTimeline' | 'followIssue'>;

const prefix = 'helve://issues/';
const mimeType = 'application/json';

export function issueAddress(id: string): string {
  return `${prefix}${encodeURIComponent(id)}`;
}

export function issueResources(plane: Issues): Resources {
  return {
    async list(principal) {
      const { issues } = await plane.listIssues(principal, {});
      return issues.map(({ id, title, state }) => {
        return { uri: issueAddress(id), name: `issues/${id}`, title, description: `It is ${state}`, mimeType };
      });
    },
    templates: async () => [
      { uriTemplate: `${prefix}{id}`, name: 'issue', title: 'An issue, its comments and its last events', mimeType },
    ],
    read: (principal, uri) => readIssue(plane, principal, uri),
    subscribe(principal, uri, changed) {
      const stop = new AbortController();
      const id = idOf(uri);
      // Nobody waits for the end: an issue that the caller may not see any more just has no more updates.
      if (id !== undefined) follow(plane.followIssue(principal, id, stop.signal), changed).catch(() => undefined);
      return () => stop.abort();
    },
  };
}

async function readIssue(plane: Issues, principal: Principal, uri: string) {
  const id = idOf(uri);
  if (id === undefined) return undefined;
  try {
    const [issue, timeline] = [await plane.getIssue(principal, id), await plane.getIssueTimeline(principal, id)];
    return [{ uri, mimeType, text: JSON.stringify({ issue, timeline }) }];
  } catch (error) {
    if (error instanceof HelveError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Also tells of the first state, because the reader may have read an earlier one. */
async function follow(views: AsyncIterable<unknown>, changed: () => void): Promise<void> {
  for await (const _ of views) changed();
}

function idOf(uri: string): string | undefined {
  if (!uri.startsWith(prefix)) return undefined;
  try {
    return decodeURIComponent(uri.slice(prefix.length));
  } catch {
    return undefined;
  }
}
