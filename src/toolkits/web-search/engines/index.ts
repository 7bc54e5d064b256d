/** The engines by the name that `helve.yaml` gives them. */
import type { Engine } from '../engine.js';
import type { SearchSettings } from '../settings.js';
import { brave } from './brave.js';
import { duckduckgo } from './duckduckgo.js';
import { google } from './google.js';
import { searxng } from './searxng.js';
import { serpapi } from './serpapi.js';
import { tavily } from './tavily.js';

export const engines: Readonly<Record<SearchSettings['engine'], Engine>> = {
  brave,
  tavily,
  serpapi,
  google,
  searxng,
  duckduckgo,
};
