/** The traces of this plane: to the provider of the program that opened it, else to the collector that the settings name. */
import type { ConfigFile } from '../../config/index.js';
import { createTracing, type OpenTracing, openTracing } from '../../telemetry/index.js';
import type { HelveOptions } from '../options.js';

/** Undefined if nobody asked for traces. Throws `invalid_config` if a package that they need is not installed. */
export async function wireTracing(
  { tracerProvider }: Pick<HelveOptions, 'tracerProvider'>,
  { telemetry }: Pick<ConfigFile, 'telemetry'>,
): Promise<OpenTracing | undefined> {
  if (tracerProvider !== undefined) {
    const api = await import('@opentelemetry/api');
    return { trace: createTracing(api, tracerProvider), close: async () => undefined };
  }
  return telemetry.traces === undefined ? undefined : openTracing(telemetry.traces);
}
