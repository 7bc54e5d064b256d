// Where the built package is: HELVE_DIST names another build than the repository's own.
import { pathToFileURL } from 'node:url';

const dist = process.env.HELVE_DIST
  ? pathToFileURL(`${process.env.HELVE_DIST}/`)
  : new URL('../../dist/', import.meta.url);

/** A module of the built package, by its path in `dist`. */
export const fromDist = (path) => import(new URL(path, dist));
