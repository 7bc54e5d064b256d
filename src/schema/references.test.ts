import { describe, expect, it } from 'vitest';
import { createReferences } from './references.js';

const schemaAt = (raw: unknown, reference: string, options = {}): unknown => {
  const references = createReferences(raw, options);
  return references.resolve(references.root, reference)?.schema;
};

describe('references', () => {
  it('R-schema: pointers with escapes, anchors and embedded resources', () => {
    const target = { title: 'target' };
    const raw = {
      $defs: {
        'a/b~c%': target,
        inner: { $id: 'https://example.com/inner.json', $defs: { x: { $anchor: 'here', title: 'x' } } },
      },
    };
    expect(schemaAt(raw, '#/$defs/a~1b~0c%25')).toBe(target);
    expect(schemaAt(raw, 'https://example.com/inner.json#here')).toBe(raw.$defs.inner.$defs.x);
    expect(schemaAt(raw, '#/$defs/inner/$defs/x')).toBe(raw.$defs.inner.$defs.x);
  });

  it('R-schema: returns undefined if there is nothing, or something that is not a schema', () => {
    const raw = { $defs: { a: 1 }, enum: ['x'] };
    for (const reference of ['#/$defs/none', '#/$defs/a', '#/enum/0', '#none', '#/%', 'http://[', '#/constructor'])
      expect(schemaAt(raw, reference)).toBeUndefined();
  });

  it('R-schema: an `$id` within a value or an unknown keyword is not a name', () => {
    const raw = { enum: [{ $id: 'https://example.com/e' }], unknown: { $id: 'https://example.com/u' } };
    expect(schemaAt(raw, 'https://example.com/e')).toBeUndefined();
    expect(schemaAt(raw, 'https://example.com/u')).toBeUndefined();
    expect(schemaAt(raw, '#/unknown')).toBe(raw.unknown);
  });

  it('R-schema: a base URI applies from the location of the reference', () => {
    const raw = {
      $id: 'https://example.com/a/root.json',
      $defs: {
        x: { $id: '../b/x.json', $defs: { y: { $ref: 'y.json' } } },
        y: { $id: 'https://example.com/b/y.json' },
      },
    };
    const references = createReferences(raw);
    const x = references.placeOf(raw.$defs.x, references.root);
    expect(x.resource.uri).toBe('https://example.com/b/x.json');
    expect(references.resolve(x, 'y.json')?.schema).toBe(raw.$defs.y);
    expect(references.resolve(references.root, 'y.json')).toBeUndefined();
  });

  it('R-schema: a dynamic reference leads to the outermost of its name', () => {
    const raw = {
      $id: 'https://example.com/outer',
      $dynamicAnchor: 'node',
      $defs: { list: { $id: 'list', $dynamicAnchor: 'node', items: { $dynamicRef: '#node' } } },
    };
    const references = createReferences(raw);
    const list = references.placeOf(raw.$defs.list, references.root);
    const scope = [references.root.resource, list.resource];
    expect(references.resolveDynamic(list, '#node', scope)?.schema).toBe(raw);
    expect(references.resolveDynamic(list, '#node', [list.resource])?.schema).toBe(raw.$defs.list);
  });

  it('R-schema: remotes are found by name or by a function, and none for other URIs', () => {
    const document = { $defs: { a: { type: 'string' } } };
    for (const remotes of [{ 'https://example.com/d': document }, () => document])
      expect(schemaAt({}, 'https://example.com/d#/$defs/a', { remotes })).toBe(document.$defs.a);
    expect(schemaAt({}, 'https://example.com/toString', { remotes: {} })).toBeUndefined();
    expect(schemaAt({}, 'http://json-schema.org/draft-07/schema#')).toMatchObject({ title: 'Core schema meta-schema' });
  });
});
