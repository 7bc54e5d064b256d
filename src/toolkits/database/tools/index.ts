/** Tools over the operator's databases. */
import { describeDatabase } from './describe-database.js';
import { queryDatabase } from './query-database.js';
import { smartQueryDatabase } from './smart-query-database.js';

export const databaseTools = [queryDatabase, smartQueryDatabase, describeDatabase];
