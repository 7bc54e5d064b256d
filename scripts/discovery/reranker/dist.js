// The path of the built index.
import { pathToFileURL } from 'node:url';

const given = process.env.HELVE_DIST;
export const dist = given === undefined ? new URL('../../../dist/', import.meta.url) : pathToFileURL(`${given}/`);
