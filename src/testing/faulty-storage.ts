/** For tests: a store that is gone for a while, or whose answers get lost after it did what it was asked. */
import { HelveError } from '../domain/errors.js';
import type { Storage } from '../domain/storage.js';

export type StorageFault = 'none' | 'gone' | 'answer_lost';

/** Wraps the parts of the store that actors use. `fault` is asked at each request. */
export function createFaultyStorage(storage: Storage, fault: () => StorageFault): Storage {
  const failure = (): HelveError => new HelveError('storage_failed', 'The store is gone');

  function wrap<T extends object>(part: T): T {
    return new Proxy(part, {
      get(target, name, receiver) {
        const value: unknown = Reflect.get(target, name, receiver);
        if (typeof value !== 'function') return value;
        return async (...parameters: unknown[]): Promise<unknown> => {
          const now = fault();
          if (now === 'gone') throw failure();
          const result: unknown = await Reflect.apply(value, target, parameters);
          if (now === 'answer_lost') throw failure();
          return result;
        };
      },
    });
  }

  return {
    ...storage,
    system: { ...storage.system, actors: wrap(storage.system.actors) },
    workspace(workspaceId) {
      const one = storage.workspace(workspaceId);
      return { ...one, actors: wrap(one.actors), configuration: wrap(one).configuration };
    },
  };
}
