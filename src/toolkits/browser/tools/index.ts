/** Tools over one browser. */
import { fetchPage } from './fetch-page.js';
import { takeScreenshot } from './take-screenshot.js';

export const browserTools = [fetchPage, takeScreenshot];
