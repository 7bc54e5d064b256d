/** The server's state. Ids look like Composio's. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { AccountRow, AuthConfigRow, ComposioData, ComposioOptions, Execution, TriggerRow } from './shapes.js';

export interface State {
  data: ComposioData;
  readonly options: ComposioOptions;
  /** The server's own address, without a slash at its end. */
  url: string;
  readonly authConfigs: Map<string, AuthConfigRow>;
  readonly accounts: Map<string, AccountRow>;
  readonly links: Map<string, string>;
  readonly triggers: Map<string, TriggerRow>;
  readonly executions: Execution[];
}

export function newState(data: ComposioData, options: ComposioOptions): State {
  return {
    data,
    options,
    url: '',
    authConfigs: new Map(),
    accounts: new Map(),
    links: new Map(),
    triggers: new Map(),
    executions: [],
  };
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `ca_…`, `ac_…`, `ti_…`, `lk_…` */
export function nanoid(prefix: string): string {
  return `${prefix}_${[...randomBytes(12)].map((byte) => letters[byte % letters.length]).join('')}`;
}

export const newUuid = (): string => randomUUID();

export const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
