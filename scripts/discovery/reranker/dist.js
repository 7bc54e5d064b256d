// Where the built index is.
import { pathToFileURL } from 'node:url';

const given = process.env.HELVE_DIST;
export const dist = given === undefined ? new URL('../../../dist/', import.meta.url) : pathToFileURL(`${given}/`);
