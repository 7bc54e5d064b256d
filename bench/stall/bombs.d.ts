import type { TestHelveOptions } from '../../src/testing/index.js';

export interface Bomb {
  readonly kind: string;
  readonly name: string;
  readonly tool: string;
  readonly input: () => unknown;
}
export interface Site {
  readonly port: number;
  close(): Promise<unknown>;
}
export function startSite(): Promise<Site>;
export function optionsFor(site: Pick<Site, 'port'>): TestHelveOptions;
export function makeBombs(parts: {
  readonly call: (tool: string, input: unknown) => Promise<unknown>;
  readonly port: number;
}): Promise<readonly Bomb[]>;
