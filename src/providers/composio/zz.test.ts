import { test } from 'vitest';
import { composioData, stretchedData } from '../../../tests/counterparts/composio/index.js';
import { admitSchema } from '../../schema/index.js';
import { describeAction } from './describe-action.js';
test('x', () => {
  for (const d of [composioData(), stretchedData()]) {
    const t = performance.now(); const refused: any[] = [];
    for (const x of d.tools) { const r = describeAction(x.toolkit.slug, { app: x.toolkit.slug, slug: x.slug, title: x.name, description: x.description, tags: x.tags, scopes: [], deprecated: false, noAuth: false, inputParameters: x.input_parameters }, (s) => void admitSchema(s)); if ('refused' in r) refused.push(r.refused); }
    console.log('took', d.tools.length, Math.round(performance.now() - t), 'refused', refused.length, refused.slice(0, 3));
  }
});
