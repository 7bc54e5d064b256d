/** The library in the operator's eXist-db, over its REST interface. */
export { openExist } from './exist-library.js';
