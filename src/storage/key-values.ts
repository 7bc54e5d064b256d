/** Small values with an optional expiry: rate windows, one-time states, and other shared values. */
import type { KeyValueTable } from '../domain/storage.js';
import { decodeJson, encodeJson, encodeOptionalTime, encodeTime } from './codec.js';
import type { Scope } from './scope.js';

export function createKeyValues(scope: Scope): KeyValueTable {
  return {
    async get(namespace, key, now) {
      const query = scope.selectFrom('key_values').select(['value', 'expires_at']);
      const row = await query.where('namespace', '=', namespace).where('key', '=', key).executeTakeFirst();
      if (row === undefined || (row.expires_at !== null && row.expires_at <= encodeTime(now))) return undefined;
      return decodeJson(row.value);
    },
    set: (namespace, key, value, expiresAt) =>
      scope.upsert('key_values', ['namespace', 'key'], {
        namespace,
        key,
        value: encodeJson(value),
        expires_at: encodeOptionalTime(expiresAt),
      }),
    async delete(namespace, key, now) {
      const at = encodeTime(now);
      const query = scope.deleteFrom('key_values').where('namespace', '=', namespace).where('key', '=', key);
      // An expired value is left for the purge: only whether a live one was deleted matters here.
      const result = await query
        .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', at)]))
        .executeTakeFirst();
      return result.numDeletedRows === 1n;
    },
  };
}
