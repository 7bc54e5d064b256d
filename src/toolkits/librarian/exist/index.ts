/** The library in an eXist-db of the operator's, over its REST interface. */
export { openExist } from './exist-library.js';
