// Adds unneeded details to a request, as people do.
const stories = [
  'I am planning a {} with my {}.',
  'My {} asked me about the {}.',
  'We are working on a {} {} for {N}.',
  'As a {} I care a lot about {} and {}.',
  'Our {} needs it for the {} in {N}.',
  'I have been thinking about {} lately.',
  '{N} told me that the {} is late.',
];
const asides = [
  ' It is for the {} {}.',
  ' I want to share it with {N}.',
  ' Make sure the {} is included.',
  ' It would be great to have the {} and the {} as well.',
  ' Thanks, {N}',
];
const details = [' for {N}', ' in {N}', ' for the {}', ' about {}', ' named {N}', ' with {} and {}', ' of {N} {N}'];

/** `{}` is replaced by any word, `{N}` by any word written as a name. */
const fill = (form, words, luck) =>
  form.replace(/\{N?\}/g, (mark) => {
    const word = luck.pick(words);
    return mark === '{}' ? word : word[0].toUpperCase() + word.slice(1);
  });

/** The request with a story before it, details in it, or an aside after it, or with none of these. */
export function embellish(request, words, luck) {
  const story = luck.chance(0.5) ? `${fill(luck.pick(stories), words, luck)} ` : '';
  const detail = luck.chance(0.6) ? fill(luck.pick(details), words, luck) : '';
  const aside = luck.chance(0.4) ? fill(luck.pick(asides), words, luck) : '';
  return { ...request, text: `${story}${request.text.replace(/[.\s]+$/, '')}${detail}.${aside}` };
}
