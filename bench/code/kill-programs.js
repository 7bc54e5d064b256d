/**
 * Forty programs over the twelve tools of the kill campaign: sequential, parallel, with loops, with random choices, and
 * with the clock.
 */
const shapes = [
  (a, b, c) => `const one = await custom.${a}({ name: 'a' });
    const two = await custom.${b}({ name: 'b' + one.size });
    return [one, two, await custom.${c}({ name: two.name })];`,
  (a, b, c) => `const all = await Promise.all(['x', 'yy', 'zzz'].map((name) => custom.${a}({ name })));
    await custom.${b}({ name: String(all.length) });
    return [all, await custom.${c}({ name: 'last' })];`,
  (a, b, c) => `let sum = 0;
    for (let at = 0; at < 4; at++) sum += (await custom.${a}({ name: 'n'.repeat(at + 1) })).size;
    if (sum > 5) await custom.${b}({ name: 'large' });
    else await custom.${c}({ name: 'small' });
    return sum;`,
  (a, b, c) => `const chance = Math.random();
    const at = Date.now();
    await custom.${a}({ name: String(chance) });
    await sleep(5);
    await custom.${b}({ name: String(Date.now() >= at) + chance });
    return (await custom.${c}({ name: 'end' })).size;`,
  (a, b, c) => `const quick = custom.${a}({ name: 'quick' });
    const other = (async () => { const one = await custom.${b}({ name: 'p' }); return custom.${c}({ name: one.name + one.size }); })();
    return [(await quick).size, (await other).name];`,
];
const effects = ['key_3', 'key_4', 'key_5', 'probe_6', 'probe_7', 'probe_8', 'repeatable_9', 'ask_10', 'ask_11'];
const reads = ['read_0', 'read_1', 'read_2'];

export const programs = Array.from({ length: 40 }, (_, at) => {
  const tool = (shift) =>
    ((at + shift) % 4 === 3 ? reads : effects).at((at * 5 + shift * 3) % ((at + shift) % 4 === 3 ? 3 : 9));
  return shapes[at % shapes.length](tool(0), tool(1), tool(2));
});
