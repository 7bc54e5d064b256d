/** Tools over one search. */
import { imageSearch } from './image-search.js';
import { webSearchTool } from './web-search.js';

export const webSearchTools = [webSearchTool, imageSearch];
