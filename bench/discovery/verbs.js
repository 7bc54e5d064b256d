// What a tool does according to its name, for verb confusion: the class of the first verb in the name. The bench has its own
// list, so that the index is not judged by its own.
const classes = `
  create add make generate insert register build compose draft new
  list enumerate browse
  get fetch retrieve read view obtain show describe
  search find query lookup filter discover
  update edit modify change set patch rename replace put
  delete remove destroy erase clear drop trash purge
  send post publish deliver reply notify
  upload import
  download export
  move transfer
  copy duplicate clone
  archive
  unarchive restore
  close complete resolve finish
  run execute trigger start launch invoke
  stop cancel pause terminate abort
  enable activate
  disable deactivate
  assign attach link
  unassign detach unlink
  invite
  merge
  validate verify check test
  subscribe follow watch
  unsubscribe unfollow unwatch
  approve accept
  reject decline deny
  lock
  unlock
  upsert
  count`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(' '));
const classOf = new Map(classes.flatMap((words) => words.map((word) => [word, words[0]])));
/** Words that are as often nouns: they count only in a name without another verb, and some also as its first word. */
const nouns = new Set('post draft view filter query test link set count watch trash check copy'.split(' '));
const verbsFirst = new Set(['post', 'set', 'check', 'copy']);
const reading = new Set(['list', 'get', 'search']);

/** Other possible meanings of an HTTP verb in a name. */
const alsoOf = { post: ['create'] };

/** The classes of a name's first verb (`get_all` lists); none if it has no verb. */
export function actsOf(name) {
  const words =
    name
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const isSure = (word, at) => classOf.has(word) && (!nouns.has(word) || (at === 0 && verbsFirst.has(word)));
  const chosen = words.find(isSure) ?? words.find((word) => classOf.has(word));
  if (chosen === undefined) return [];
  const act = classOf.get(chosen);
  return act === 'get' && words.includes('all') ? ['list'] : [act, ...(alsoOf[chosen] ?? [])];
}

/**
 * Whether the first hit is of a right app but does something else than every right tool. Two figures: by class of verb, and
 * by effect, where getting, listing and searching are the same.
 */
export function confusion(byId, first, relevant) {
  const hit = byId.get(first);
  const right = relevant.map((id) => byId.get(id)).filter((tool) => tool !== undefined);
  const none = { verb: false, effect: false };
  if (hit === undefined || relevant.includes(first) || !right.some(({ toolkit }) => toolkit === hit.toolkit))
    return none;
  const own = actsOf(hit.name);
  const acts = right.flatMap(({ name }) => actsOf(name));
  if (own.length === 0 || acts.length === 0) return none;
  const effect = (act) => (reading.has(act) ? 'read' : act);
  return {
    verb: !own.some((act) => acts.includes(act)),
    effect: !own.some((act) => acts.map(effect).includes(effect(act))),
  };
}
