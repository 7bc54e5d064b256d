/** Orders in comments: `/helve assign coder`, `/helve retry`, `/helve cancel`, `/helve unassign`, alone on the first line. */

export type Command =
  | { readonly order: 'assign'; readonly agent: string }
  | { readonly order: 'retry' | 'cancel' | 'unassign'; readonly agent?: undefined };

const form =
  /^\/helve\s+(?:(?<assign>assign)\s+@?(?<agent>[A-Za-z0-9][\w-]{0,99})|(?<order>retry|cancel|unassign))\s*$/;

export function readCommand(text: string): Command | undefined {
  const found = form.exec(text.trimStart().split('\n', 1)[0]?.trimEnd() ?? '')?.groups;
  if (!found) return undefined;
  if (found.agent !== undefined) return { order: 'assign', agent: found.agent };
  return { order: found.order as 'retry' | 'cancel' | 'unassign' };
}
