/** The five machines. They are pure: no clock, no I/O, and no host. */
import type { AnyStateMachine } from 'xstate';
import type { ActorKind, ActorMachines } from '../../domain/actor-host.js';
import { issueMachine, issueStatechart } from './issue.js';
import { orgMachine, orgStatechart } from './org.js';
import { prMachine, prStatechart } from './pr.js';
import { projectMachine, projectStatechart } from './project.js';
import { repoMachine, repoStatechart } from './repo.js';

export const machines: ActorMachines = Object.freeze({
  org: orgMachine,
  repo: repoMachine,
  project: projectMachine,
  pr: prMachine,
  issue: issueMachine,
});

export type { IssueContext } from './issue-shapes.js';
export type { PrContext } from './pr.js';
export { stateOfChecks } from './pr-mergeability.js';

/** What XState knows of them, for the drawings of the docs. */
export const statecharts: Readonly<Record<ActorKind, AnyStateMachine>> = Object.freeze({
  org: orgStatechart,
  repo: repoStatechart,
  project: projectStatechart,
  pr: prStatechart,
  issue: issueStatechart,
});
