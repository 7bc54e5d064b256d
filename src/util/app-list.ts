/** Lists of apps, in which an app is found by any form of its name. */
import { toAppKey } from '../domain/naming/index.js';
import { createLookup } from './lookup.js';

const appsByKey = createLookup(toAppKey);

/** Whether the list, which must not change afterwards, names the app. Throws `invalid_input` for a name without letters or digits. */
export const namesApp = (apps: readonly string[], form: string): boolean => appsByKey(apps, toAppKey(form)).length > 0;
