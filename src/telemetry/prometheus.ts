/**
 * The counts of a process and its present state, in the text format of Prometheus. prom-client is loaded when somebody
 * reads them first; from then on it also watches the event loop, the memory and the garbage collector of this process.
 */
import type { Counter, Gauge, Registry } from 'prom-client';
import type { DiscoveryTotals, StorePool } from '../domain/telemetry.js';
import { type CallSeries, type Counts, durationBounds } from './counts.js';

/** What is asked when somebody reads. */
export interface ProcessReadings {
  readonly counts: Counts;
  /** Calls that run now. */
  readonly runningCalls: () => number;
  /** Entries of the record that wait for the next commit. */
  readonly waitingForRecord: () => number;
  /** Undefined for a store with one connection. */
  readonly storePool: () => StorePool | undefined;
  readonly discovery: () => DiscoveryTotals;
}

export interface Prometheus {
  /** The text format of Prometheus, version 0.0.4. */
  read(): Promise<string>;
}

type Library = typeof import('prom-client');

export function createPrometheus(readings: ProcessReadings): Prometheus {
  let made: Promise<Registry> | undefined;
  return {
    async read() {
      made ??= import('prom-client').then(({ default: library }) => createRegistry(library, readings));
      return (await made).metrics();
    },
  };
}

function createRegistry(library: Library, readings: ProcessReadings): Registry {
  const registry = new library.Registry();
  library.collectDefaultMetrics({ register: registry });
  registry.registerMetric(callHistogram(library, readings.counts));
  for (const made of [...queues(library, readings), ...events(library, readings)])
    registry.registerMetric(made as Gauge);
  return registry;
}

/**
 * A histogram of prom-client counts by itself, about 0.5 µs a call. Here the counts are made already: prom-client asks a
 * gauge for its samples with `get` only.
 */
function callHistogram({ Gauge }: Library, counts: Counts): Gauge {
  const name = 'helve_call_duration_seconds';
  const help = 'Calls of tools from admission to answer, by what ended them';
  return Object.assign(new Gauge({ name, help, registers: [] }), {
    get: async () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: counts.calls().flatMap((series) => sampleSeries(name, series)),
    }),
  });
}

function sampleSeries(name: string, { kind, outcome, code, buckets, seconds }: CallSeries) {
  const labels = { kind, outcome, code };
  let count = 0;
  const samples = buckets.map((added, place) => {
    count += added;
    return { metricName: `${name}_bucket`, value: count, labels: { le: durationBounds[place] ?? '+Inf', ...labels } };
  });
  return [
    ...samples,
    { metricName: `${name}_sum`, value: seconds, labels },
    { metricName: `${name}_count`, value: count, labels },
  ];
}

function queues({ Gauge }: Library, readings: ProcessReadings): Gauge[] {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [],
      collect() {
        this.set(read());
      },
    });
  const pool = new Gauge({
    name: 'helve_store_connections',
    help: 'Connections of this process to PostgreSQL: the maximum, open ones, idle ones, and requests that wait for one',
    labelNames: ['state'],
    registers: [],
    collect() {
      for (const [state, count] of Object.entries(readings.storePool() ?? {})) this.set({ state }, count);
    },
  });
  return [
    gauge('helve_calls_running', 'Calls of tools that run now', readings.runningCalls),
    gauge('helve_record_queue_length', 'Entries of the record that wait for a commit', readings.waitingForRecord),
    ...(readings.storePool() === undefined ? [] : [pool as Gauge]),
  ];
}

function events({ Counter }: Library, { counts, discovery }: ProcessReadings): Counter[] {
  const counter = ({ name, help, labels = [] }: CounterFacts, list: () => Iterable<Sample>) =>
    new Counter({
      name,
      help,
      labelNames: [...labels],
      registers: [],
      collect() {
        this.reset();
        for (const [values, count] of list()) this.inc(values, count);
      },
    });
  const tiers = () => Object.entries(discovery().tiers);
  return [
    counter({ name: 'helve_credential_renewals_total', help: 'Renewals of access tokens', labels: ['outcome'] }, () =>
      [...counts.renewals()].map(([outcome, count]) => [{ outcome }, count] as const),
    ),
    counter(
      { name: 'helve_catalogue_syncs_total', help: 'Synchronisations of the catalogue', labels: ['source', 'status'] },
      () => counts.syncs().map(({ source, status, count }) => [{ source, status }, count] as const),
    ),
    counter({ name: 'helve_discovery_searches_total', help: 'Searches for tools', labels: ['tier'] }, () =>
      tiers().map(([tier, { count }]) => [{ tier }, count] as const),
    ),
    counter(
      { name: 'helve_discovery_search_seconds_total', help: 'Time spent on searches for tools', labels: ['tier'] },
      () => tiers().map(([tier, { milliseconds }]) => [{ tier }, milliseconds / 1_000] as const),
    ),
    counter({ name: 'helve_discovery_abstained_total', help: 'Searches that found no fitting tool' }, () => [
      [{}, discovery().abstained],
    ]),
    counter({ name: 'helve_discovery_hints_total', help: 'Hints for models', labels: ['tier'] }, () =>
      Object.entries(discovery().hints).map(([tier, count]) => [{ tier }, count] as const),
    ),
  ];
}

interface CounterFacts {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

type Sample = readonly [labels: Readonly<Record<string, string>>, count: number];
