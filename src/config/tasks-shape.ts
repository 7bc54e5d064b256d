/** The part `tasks` of `helve.yaml`: what gives the actors of tasks their turns, and what is kept of issues. */
import { z } from 'zod';
import { defined } from '../util/defined.js';
import { defaultTaskSettings } from './defaults.js';

const url = z.url({ protocol: /^https?$/ });
const { restate } = defaultTaskSettings;
/** One node, or several, of which any is asked. */
const urls = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z.array(url).min(1, { error: 'must name a node of Restate' }),
);
const embedded = 'embedded';

export const tasksShape = z
  .strictObject({
    engine: z.enum(['embedded', 'restate']).default(defaultTaskSettings.engine),
    keep_folders_hours: z.number().min(1).max(8_760).default(defaultTaskSettings.keepFoldersHours),
    restate: z
      .preprocess(
        (value) => (value === embedded ? { [embedded]: true } : value),
        z.strictObject({
          [embedded]: z.literal(true).optional(),
          url: urls.default([...restate.ingress]),
          admin: urls.default([...restate.admin]),
          listen: z
            .strictObject({
              host: z.string().min(1).default(restate.listen.host),
              port: z.int().min(0).max(65_535).default(restate.listen.port),
            })
            .prefault({}),
          address: url.optional(),
          identity_keys: z.array(z.string().startsWith('publickeyv1_')).min(1).optional(),
          name: z
            .string()
            .regex(/^[a-z][a-z0-9_]{0,40}$/)
            .default(restate.name),
        }),
      )
      .prefault({}),
  })
  .prefault({});

export interface TasksSettings {
  /** `embedded`: one process drives the actors of tasks. `restate`: Restate gives each its turn in any process. */
  readonly engine: 'embedded' | 'restate';
  /** How long the folder of an issue is kept after it is done or cancelled. */
  readonly keepFoldersHours: number;
  /** `embedded`: Helve starts the server. What the others are is said in `actors/restate/endpoint.ts`. */
  readonly restate:
    | 'embedded'
    | {
        readonly ingress: readonly string[];
        readonly admin: readonly string[];
        readonly listen: { readonly host: string; readonly port: number };
        readonly address?: string;
        readonly identityKeys?: readonly string[];
        readonly name: string;
      };
}

export function readTasks(data: z.output<typeof tasksShape>): TasksSettings {
  const { url: ingress, admin, listen, address, identity_keys: identityKeys, name } = data.restate;
  return {
    engine: data.engine,
    keepFoldersHours: data.keep_folders_hours,
    restate: data.restate.embedded ? embedded : { ingress, admin, listen, name, ...defined({ address, identityKeys }) },
  };
}
