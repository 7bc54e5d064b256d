/** The pages of tasks, with issues in every state, as a designer would measure them. */
import { afterAll, beforeAll, test } from 'vitest';
import { expectFits, fittings } from './fits.js';
import { type Ground, startGround } from './ground.js';
import { fillTasks, taskOptions } from './tasks-scene.js';

let ground: Ground;
let places: string[];

beforeAll(async () => {
  ground = await startGround(taskOptions);
  const ids = await fillTasks(ground.helve);
  places = [
    'tasks',
    'tasks?view=board',
    'tasks?view=board&project=shop',
    'tasks?view=board&q=vault',
    'tasks/new',
    ...Object.values(ids).map((id) => `tasks/issues/${encodeURIComponent(id)}`),
    'tasks/actors',
    `tasks/actors/issue/${ids.failed}`,
    'tasks/actors/org/own',
    'tasks/tools',
    `tasks/tools?level=issue&id=${ids.excluded}`,
  ];
});
afterAll(() => ground.close());

test.each(fittings)('R-panel: every page of tasks fits, and is accessible, in $language', {
  timeout: 240_000,
}, async ({ language, themes }) => {
  const visit = await ground.visit('admin');
  await visit.page.evaluate((chosen) => localStorage.setItem('helve.language', chosen), language);
  await expectFits(visit, { places, language, themes });
  await visit.end();
});
