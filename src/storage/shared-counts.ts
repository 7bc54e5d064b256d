/** Counts that all processes on a PostgreSQL share, in periods by its clock. */
import type { CountAnswer, SharedCounts } from '../domain/rate-limits.js';
import { type Engine, readNow } from './engine.js';

/** Number of requests of this process between two removals of counts whose period is over. */
const requestsPerPurge = 1_000;

const endsIn = `ceil(extract(epoch from ends_at - clock_timestamp()) * 1000)::bigint as ends_in`;

const look = `select used, 0::bigint as granted, ${endsIn} from shared_counts where key = $1 and ends_at > clock_timestamp()`;

/** $2: points, $3: limit, $4: milliseconds. If a limit was lowered, points that were already granted stay granted. */
const take = `insert into shared_counts as counted (key, used, granted, ends_at)
  values ($1, least($2::bigint, $3::bigint), least($2::bigint, $3::bigint),
    clock_timestamp() + $4::bigint * interval '1 millisecond')
  on conflict (key) do update set
    used = case when counted.ends_at <= clock_timestamp() then excluded.used
      else greatest(counted.used, least(counted.used + $2::bigint, $3::bigint)) end,
    granted = case when counted.ends_at <= clock_timestamp() then excluded.granted
      else greatest(0, least($2::bigint, $3::bigint - counted.used)) end,
    ends_at = case when counted.ends_at <= clock_timestamp() then excluded.ends_at else counted.ends_at end
  returning used, granted, ${endsIn}`;

const purge = 'delete from shared_counts where ends_at <= clock_timestamp()';

export function createSharedCounts({ db }: Engine): SharedCounts {
  let requests = 0;
  return {
    async take({ key, limit, periodMs, points }) {
      requests += 1;
      if (requests % requestsPerPurge === 0) await readNow(db, { sql: purge, parameters: [] });
      const statement =
        points === 0 ? { sql: look, parameters: [key] } : { sql: take, parameters: [key, points, limit, periodMs] };
      const [row] = await readNow(db, statement);
      return row === undefined ? { granted: 0, left: limit, endsInMs: periodMs } : toAnswer(row, limit);
    },
  };
}

function toAnswer(row: Record<string, unknown>, limit: number): CountAnswer {
  return {
    granted: Number(row.granted),
    left: Math.max(0, limit - Number(row.used)),
    endsInMs: Math.max(0, Number(row.ends_in)),
  };
}
