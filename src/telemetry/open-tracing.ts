/** Traces that this process sends to a collector, by the SDK of OpenTelemetry, which the operator installs. */
import type { TraceCall } from '../domain/telemetry.js';
import { peer } from '../util/peer.js';
import { createTracing } from './tracing.js';

interface TraceSettings {
  /** Where spans are sent, by OTLP over HTTP as JSON. Default: what the variables of OpenTelemetry say. */
  readonly endpoint?: string | undefined;
  /** Sent along, for example a key of the collector. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** From 0 to 1: the share of the traces that begin here. A caller that sends a trace decides about it. */
  readonly sample: number;
}

export interface OpenTracing {
  readonly trace: TraceCall;
  /** Sends what is left. */
  close(): Promise<void>;
}

const maxClosingMs = 5_000;

/** Throws `invalid_config` if one of the three packages is not installed. */
export async function openTracing({ endpoint, headers, sample }: TraceSettings): Promise<OpenTracing> {
  const sdk = await peer('@opentelemetry/sdk-trace', () => import('@opentelemetry/sdk-trace'));
  const resources = await peer('@opentelemetry/resources', () => import('@opentelemetry/resources'));
  const { OTLPTraceExporter } = await peer(
    '@opentelemetry/exporter-trace-otlp-http',
    () => import('@opentelemetry/exporter-trace-otlp-http'),
  );
  const api = await import('@opentelemetry/api');
  const exporter = new OTLPTraceExporter({
    ...(endpoint === undefined ? {} : { url: endpoint }),
    ...(headers === undefined ? {} : { headers: { ...headers } }),
  });
  // The variables name the service if they are set.
  const named = resources.resourceFromAttributes({ 'service.name': 'helve' });
  const detected = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new sdk.TracerProvider({
    resource: resources.defaultResource().merge(named).merge(detected),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(sample) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  return {
    trace: createTracing(api, provider),
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, maxClosingMs);
      });
      // A collector that is away must not keep this process.
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}
