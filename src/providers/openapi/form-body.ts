/** A body in `application/x-www-form-urlencoded`. */
import type { JsonObject } from '../../domain/json.js';
import { isPlainObject } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import type { BodyPlan } from './request-plan.js';
import { queryPairs } from './serialise-parameter.js';

/** By default, lists repeat the name and objects are JSON. */
export function formBody({ fields = {} }: BodyPlan, value: JsonObject): string {
  return Object.entries(value)
    .flatMap(([name, member]) => {
      const {
        style = 'form',
        explode,
        reserved,
        ...field
      } = (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? {};
      const asJson =
        isPlainObject(member) && Object.keys(field).length === 0 && explode === undefined && style === 'form';
      return queryPairs(
        name,
        {
          style,
          explode: explode ?? style === 'form',
          ...defined({ content: asJson ? ('json' as const) : undefined, reserved }),
        },
        member,
      );
    })
    .join('&');
}
