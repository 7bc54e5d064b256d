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

/** Programs that wait: for approvals, for a person's answer, for timers, and for whichever of them comes first. */
export const waiting = [
  `const both = await Promise.all(['x', 'yy'].map((name) => custom.approved_12({ name })));
    return [both, await custom.key_3({ name: 'after' })];`,
  `const one = await custom.probe_6({ name: 'a' });
    const said = await person.ask({ question: 'Go on?', choices: ['yes', 'no'] });
    return [one, said, await custom.ask_10({ name: said })];`,
  `const slow = custom.approved_12({ name: 'slow' });
    await Promise.race([slow, sleep(30), person.ask({ question: 'Wait?' })]);
    const [, , beside] = await Promise.all([sleep(1), sleep(20), custom.key_4({ name: 'beside' })]);
    return [(await slow).size, beside.size, await person.ask({ question: 'Which?' })];`,
  `const one = custom.key_5({ name: 'before' });
    await sleep(2_100);
    const other = await Promise.any([custom.repeatable_9({ name: 'later' }), sleep(3_600_000)]);
    return [(await one).size, other];`,
];
