import { expect, test } from 'vitest';
import { createToolIndex } from '../../discovery/index.js';
import type { Toolkit } from '../../domain/tool.js';
import { createFindApps } from './find-apps.js';
import type { Library } from './library.js';

const described = { slug: 'slowcoach', name: 'slowcoach', description: 'Things of a team', categories: [] };

/** A library that has read nothing until `read` is called. */
async function createSlowLibrary() {
  const index = await createToolIndex([]);
  const open = new Map<string, Toolkit>();
  let done: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    done = resolve;
  });
  const library = { index: Promise.resolve(index), open, ensureAll: () => all } as unknown as Library;
  const read = async () => {
    await index.add([
      {
        id: 'slowcoach/book_room',
        toolkit: 'slowcoach',
        toolkitName: 'slowcoach',
        name: 'book_room',
        description: 'Book a meeting room',
      },
    ]);
    open.set('slowcoach', {} as Toolkit);
    done();
  };
  return { library, read };
}

test('an answer says that it is incomplete while tools are still being read, and the next one is whole', async () => {
  const { library, read } = await createSlowLibrary();
  const findApps = createFindApps(library, (error) => expect.unreachable(String(error)));
  expect(await findApps('book a meeting room', [described])).toMatchObject({ isComplete: false });
  await read();
  expect(await findApps('book a meeting room', [described])).toEqual({ slugs: ['slowcoach'], isComplete: true });
});

test('an answer is complete if reading has failed: another question would fail too', async () => {
  const { library } = await createSlowLibrary();
  const errors: unknown[] = [];
  const failing: Library = { ...library, ensureAll: () => Promise.reject(new Error('The store is gone.')) };
  const findApps = createFindApps(failing, (error) => errors.push(error));
  expect(await findApps('book a meeting room', [described])).toMatchObject({ isComplete: true });
  expect(errors).toEqual([new Error('The store is gone.')]);
});
