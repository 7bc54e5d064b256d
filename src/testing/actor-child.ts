/**
 * For the kills of the contract of actor hosts: a process that does what the lines of its input say, and acknowledges each. The
 * work `effect` makes an effect on a counterpart: a file, which knows the ids of the effects that it has.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActorAddress, ActorEvent, ActorHost, WorkHandler } from '../domain/actor-host.js';

export interface ChildRequest {
  readonly n: number;
  readonly actor: ActorAddress;
  /** Without an event, the actor is started. */
  readonly send?: { readonly id: string; readonly event: ActorEvent };
}

export function makeEffects(effects: string): WorkHandler {
  return async ({ id, attempt, input, signal }) => {
    await sleep(Math.random() * 20, undefined, { signal });
    if (!readFileSync(effects, 'utf8').includes(`${id} `)) appendFileSync(effects, `${id} ${String(input.label)}\n`);
    await sleep(Math.random() * 20, undefined, { signal });
    return { type: 'WORKED', label: `worked ${String(input.label)}`, attempt };
  };
}

export function serveHost(host: ActorHost, effects: string): void {
  host.work('effect', makeEffects(effects));
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { n, actor, send } = JSON.parse(line) as ChildRequest;
    const done = send ? host.send(actor, send.event, { id: send.id }) : host.start(actor, {});
    void done.then(
      () => process.stdout.write(`${n}\n`),
      (error) => process.stderr.write(`${String(error)}\n`),
    );
  });
  process.stdout.write('open\n');
}
