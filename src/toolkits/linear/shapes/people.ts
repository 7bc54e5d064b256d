/** People, teams, workflow states, labels and cycles: the fields that are asked for, and what becomes of them. */
import { z } from 'zod';

type Maybe<Value> = Value | null | undefined;
export const known = <Value>(value: Maybe<Value>): Value | undefined => value ?? undefined;

export interface RawPerson {
  readonly id: string;
  readonly name: string;
  readonly email?: Maybe<string>;
}
export const personFields = 'id name email';
export const personShape = z.strictObject({ id: z.string(), name: z.string(), email: z.string().optional() });
export function toPerson(raw: Maybe<RawPerson>): z.input<typeof personShape> | undefined {
  return raw ? { id: raw.id, name: raw.name, email: known(raw.email) } : undefined;
}

export interface RawUser extends RawPerson {
  readonly displayName: string;
  readonly active: boolean;
  readonly admin: boolean;
  readonly guest: boolean;
  readonly url: string;
}
export const userFields = `${personFields} displayName active admin guest url`;
export const userShape = personShape.extend({
  display_name: z.string(),
  is_active: z.boolean(),
  is_admin: z.boolean(),
  is_guest: z.boolean(),
  url: z.string(),
});
export function toUser({
  id,
  name,
  email,
  displayName,
  active,
  admin,
  guest,
  url,
}: RawUser): z.input<typeof userShape> {
  const is = { is_active: active, is_admin: admin, is_guest: guest };
  return { id, name, email: known(email), display_name: displayName, ...is, url };
}

export interface RawTeam {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}
export const teamFields = 'id key name';
export const teamShape = z.strictObject({ id: z.string(), key: z.string(), name: z.string() });
export const toTeam = ({ id, key, name }: RawTeam): z.input<typeof teamShape> => ({ id, key, name });

export interface RawState {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}
export const stateFields = 'id name type';
export const stateShape = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: z.string().describe('triage, backlog, unstarted, started, completed, canceled or duplicate'),
});
export const toState = ({ id, name, type }: RawState): z.input<typeof stateShape> => ({ id, name, type });

export interface RawLabel {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly description?: Maybe<string>;
  readonly isGroup: boolean;
  readonly team?: Maybe<RawTeam>;
  readonly parent?: Maybe<{ readonly id: string; readonly name: string }>;
}
export const labelFields = `id name color description isGroup team { ${teamFields} } parent { id name }`;
export const labelShape = z.strictObject({
  id: z.string(),
  name: z.string(),
  color: z.string(),
  description: z.string().optional(),
  is_group: z.boolean(),
  team: teamShape.optional().describe('Absent: of the whole workspace'),
  group: z.string().optional().describe('Name of the group it is in'),
});
export function toLabel(raw: RawLabel): z.input<typeof labelShape> {
  return {
    id: raw.id,
    name: raw.name,
    color: raw.color,
    description: known(raw.description),
    is_group: raw.isGroup,
    team: raw.team ? toTeam(raw.team) : undefined,
    group: raw.parent?.name,
  };
}

export interface RawCycle {
  readonly id: string;
  readonly number: number;
  readonly name?: Maybe<string>;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly isActive: boolean;
  readonly progress: number;
  readonly team: RawTeam;
}
export const cycleFields = `id number name startsAt endsAt isActive progress team { ${teamFields} }`;
export const cycleShape = z.strictObject({
  id: z.string(),
  number: z.number(),
  name: z.string().optional(),
  starts_at: z.string(),
  ends_at: z.string(),
  is_active: z.boolean(),
  progress: z.number().describe('0 to 1'),
  team: teamShape,
});
export function toCycle({
  id,
  number,
  name,
  startsAt,
  endsAt,
  isActive,
  progress,
  team,
}: RawCycle): z.input<typeof cycleShape> {
  const span = { starts_at: startsAt, ends_at: endsAt, is_active: isActive };
  return { id, number, name: known(name), ...span, progress, team: toTeam(team) };
}
