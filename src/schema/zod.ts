/** An admitted schema as one Zod type: the kernel validates, and `z.toJSONSchema` returns the schema as given. */
import { z } from 'zod';
import { hashText } from '../util/bloom.js';
import type { Verdict } from './run.js';
import { readTokens, schemaObject } from './standard-schema.js';

interface KernelDef extends z.core.$ZodCustomDef<unknown> {
  readonly raw: unknown;
  readonly hasReferences: boolean;
  readonly validate: (value: unknown) => Verdict;
}

interface KernelType extends z.ZodType<unknown, unknown> {
  readonly _zod: z.core.$ZodCustomInternals<unknown, unknown> & { def: KernelDef };
}

/** A separate constructor, because `.describe()` and the like create another instance from the same definition. */
const KernelType: z.core.$constructor<KernelType, KernelDef> = z.core.$constructor('HelveSchema', (type, def) => {
  z.ZodCustom.init(type as never, def as never);
  const internals = type._zod as unknown as {
    check: (payload: z.core.ParsePayload) => void;
    processJSONSchema: (context: unknown, json: object, params: { readonly path: readonly unknown[] }) => void;
  };
  internals.check = (payload) => {
    const verdict = def.validate(payload.value);
    if (verdict.ok) {
      payload.value = verdict.value;
      return;
    }
    for (const { path, message } of verdict.issues)
      payload.issues.push({
        code: 'custom',
        path: pathIn(payload.value, path),
        message,
        input: payload.value,
        inst: type as never,
      });
  };
  internals.processJSONSchema = (_context, json, { path }) => {
    Object.assign(json, schemaObject(def.raw));
    // Its references resolve against itself, even when it is embedded.
    if (path.length > 0 && def.hasReferences && !('$id' in json)) Object.assign(json, { $id: idAt(path, def.raw) });
  };
});

/** The place makes it unique in its document, the content between documents. */
function idAt(path: readonly unknown[], raw: unknown): string {
  const content = (hashText(JSON.stringify(raw)) >>> 0).toString(16);
  return `urn:helve:schema:${content}:${path.map((step) => encodeURIComponent(String(step))).join('/')}`;
}

export function createZodType(
  raw: unknown,
  hasReferences: boolean,
  validate: (value: unknown) => Verdict,
): z.ZodType<unknown> {
  return new KernelType({ type: 'custom', check: 'custom', fn: () => true, raw, hasReferences, validate });
}

/** Indexes become numbers, as in Zod. */
function pathIn(value: unknown, pointer: string): (string | number)[] {
  let place = value;
  return readTokens(pointer).map((token) => {
    const key = Array.isArray(place) ? Number(token) : token;
    place = typeof place === 'object' && place !== null ? (place as Record<string | number, unknown>)[key] : undefined;
    return key;
  });
}
