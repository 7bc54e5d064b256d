// Words that can replace each other, from the index's own data.
import { dist } from './dist.js';

const data = await import(new URL('discovery/text/vocabulary-data.js', dist));
export const verbClasses = data.verbClasses;
export const synonyms = data.synonyms;
