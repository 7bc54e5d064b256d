// Typing errors in a request: two letters exchanged, one left out, one doubled, or the neighbour's key. The same in
// every run.
import { numbersFrom } from './random.js';

const rows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const neighbours = new Map(
  rows.flatMap((row) => [...row].map((key, at) => [key, [row[at - 1], row[at + 1]].filter(Boolean)])),
);
const fewestLetters = 4;

/**
 * Never the first letter, because people rarely mistype that; words of fewer than four letters would become unreadable.
 */
function withError(word, below) {
  const at = 1 + below(word.length - 2);
  const letter = word[at];
  const near = neighbours.get(letter) ?? [letter];
  const kinds = [
    word.slice(0, at) + word[at + 1] + letter + word.slice(at + 2),
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + letter + word.slice(at),
    word.slice(0, at) + near[below(near.length)] + word.slice(at + 1),
  ];
  const made = kinds[below(kinds.length)];
  return made === word ? kinds[1] : made;
}

/** The requests with `count` errors each, in different words if there are as many. */
export function withTypos(requests, count) {
  const below = numbersFrom(20_261_126 + count);
  return requests.map((request) => {
    const words = request.text.split(/(\P{L}+)/u);
    const places = words.flatMap((word, at) => (/^[a-z]+$/i.test(word) && word.length >= fewestLetters ? [at] : []));
    for (let left = count; left > 0 && places.length > 0; left--) {
      const [place] = places.splice(below(places.length), 1);
      words[place] = withError(words[place], below);
    }
    return { ...request, text: words.join('') };
  });
}
