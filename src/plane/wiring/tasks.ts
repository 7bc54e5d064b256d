/** What issues need besides their machines: the work of an issue, and news about accounts and grants. */

import type { CallRequest } from '../../domain/execution.js';
import type { PlaneParts } from '../../flows/parts.js';
import {
  catchUp,
  createBillingClock,
  createConfigurationWatch,
  createDryLook,
  endUnwantedRuns,
  executeIssue,
  lookAtPullRequest,
  lookMs,
  mergePullRequest,
  prepareIssue,
  reportIssue,
  resumeForgotten,
  tellToLook,
  verifyIssue,
} from '../../flows/tasks/index.js';
import type { NativeServices } from '../../providers/native/index.js';
import { executeLive } from '../acts/calls.js';
import { connectUrl, link, type Places } from './places.js';
import type { WorkFolders } from './work-folders.js';

export interface TaskWiring {
  readonly places: Places;
  readonly workFolders: WorkFolders;
  readonly files: NativeServices['files'];
  readonly reportError: (error: unknown) => void;
}

const sweepMs = 3_600_000;
/** Processes rarely die between the end of a wait and telling the issue about it. */
const resumeMs = 60_000;

/** The most that a check reads of one file. */
const maxCheckedBytes = 5_242_880;

interface IssuePlace {
  readonly workspaceId: string;
  readonly id: string;
}

export function wireTasks(parts: PlaneParts, { places, workFolders, files, reportError }: TaskWiring) {
  const issueUrl = (id: string) => link(places, `/panel/issues/${encodeURIComponent(id)}`);
  const call = (request: CallRequest) => executeLive(parts, request);
  const issueFiles = ({ workspaceId, id }: IssuePlace) => {
    const caller = { kind: 'agent', id: 'verification', name: 'verification', workspaceId, issueId: id } as const;
    return files(caller, { maxBytes: maxCheckedBytes, writable: false });
  };
  const preparing = { ...parts, connectUrl: connectUrl(places) };
  const ends = [
    parts.actors.work('prepare', (job) => prepareIssue(preparing, job)),
    parts.actors.work('execute', (job) => executeIssue(parts, job)),
    parts.actors.work('verify', (job) => verifyIssue({ ...parts, call, issueFiles }, job)),
    parts.actors.work('report', (job) => reportIssue({ ...parts, call, issueUrl }, job)),
    parts.actors.work('look', (job) => lookAtPullRequest({ ...parts, call }, job)),
    parts.actors.work('catch_up', (job) => catchUp({ ...parts, call }, job)),
    parts.actors.work('merge', (job) => mergePullRequest({ ...parts, call }, job)),
  ];
  const watch = createConfigurationWatch({ ...parts, createDryLook: () => createDryLook(preparing) }, reportError);
  const billing = createBillingClock(parts, reportError);
  let sweeping = Promise.resolve();
  const doNext = (work: () => Promise<void>) => (): void => {
    sweeping = sweeping.then(work).catch(reportError);
  };
  const sweep = doNext(() => workFolders.sweep(parts.actors));
  const resume = doNext(async () => {
    await resumeForgotten(parts);
    await endUnwantedRuns(parts);
  });
  const lookAgain = doNext(() => tellToLook(parts));
  const timers = [setInterval(sweep, sweepMs), setInterval(resume, resumeMs), setInterval(lookAgain, lookMs)];
  for (const timer of timers) timer.unref();
  return {
    async start(): Promise<void> {
      await watch.start();
      billing.start();
      resume();
      sweep();
      lookAgain();
    },
    async close(): Promise<void> {
      for (const timer of timers) clearInterval(timer);
      await sweeping;
      for (const end of ends) end();
      await billing.close();
      await watch.close();
    },
  };
}
