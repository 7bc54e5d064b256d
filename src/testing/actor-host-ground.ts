/** What the contract of actor hosts works with. */
import type { ActorAddress, ActorHost, ActorKind } from '../domain/actor-host.js';

export interface ActorHostProcess {
  readonly host: ActorHost;
  close(): Promise<void>;
  /** Ends without giving anything back, as a killed process does. */
  crash(): Promise<void>;
}

export interface ActorHostUnderTest {
  /** Two workspaces that exist. */
  readonly workspaces: readonly [string, string];
  /** Starts a process with the machines of `actor-script.ts`, whose work is tried again after some milliseconds. */
  open(): Promise<ActorHostProcess>;
  dispose(): Promise<void>;
}

export interface HostParts {
  /** Another process on the same actors; it ends with the test. */
  open(): Promise<ActorHostProcess>;
  /** Names an actor that only this test has. */
  address(name: string, kind?: ActorKind): ActorAddress;
  /** The same actor in the other workspace. */
  elsewhere(actor: ActorAddress): ActorAddress;
}
