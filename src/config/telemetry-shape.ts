/** `telemetry` of `helve.yaml`: where this process sends its traces. */
import { z } from 'zod';

export const telemetryShape = z
  .strictObject({
    traces: z
      .strictObject({
        /** The whole address, usually with the path `/v1/traces`. */
        endpoint: z.url({ protocol: /^https?$/ }).optional(),
        headers: z.record(z.string(), z.string().meta({ secret: true })).optional(),
        sample: z.number().min(0).max(1).default(1),
      })
      .prefault({}),
  })
  .prefault({});

export interface TelemetrySettings {
  /** Undefined: off. */
  readonly traces:
    | {
        readonly endpoint?: string | undefined;
        readonly headers?: Readonly<Record<string, string>> | undefined;
        readonly sample: number;
      }
    | undefined;
}

/** Traces are on if the file names an endpoint, or the standard variables of OpenTelemetry do. */
export function readTelemetry({ traces }: z.infer<typeof telemetryShape>, byVariables: boolean): TelemetrySettings {
  return { traces: traces.endpoint !== undefined || byVariables ? traces : undefined };
}
