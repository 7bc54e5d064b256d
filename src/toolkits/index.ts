/** The toolkits in this repository. Each is loaded when it is first listed or called. */
import type { ToolkitDefinition } from '../domain/tool.js';
import { browser } from './browser/toolkit.js';
import { code } from './code/toolkit.js';
import { database } from './database/toolkit.js';
import { discovery } from './discovery/toolkit.js';
import { documents } from './documents/toolkit.js';
import { email } from './email/toolkit.js';
import { files } from './files/toolkit.js';
import { github } from './github/toolkit.js';
import { googleGmail, googleWorkspace } from './google/index.js';
import { http } from './http/toolkit.js';
import { keyValue } from './key-value/toolkit.js';
import { memory } from './knowledge/memory/toolkit.js';
import { knowledge } from './knowledge/toolkit.js';
import { librarian } from './librarian/toolkit.js';
import { linear } from './linear/toolkit.js';
import { math } from './math/toolkit.js';
import { platform } from './platform/toolkit.js';
import { results } from './results/toolkit.js';
import { shell } from './shell/toolkit.js';
import { slack } from './slack/toolkit.js';
import { smtp } from './smtp/toolkit.js';
import { ssh } from './ssh/toolkit.js';
import { stripe } from './stripe/toolkit.js';
import { telegram } from './telegram/toolkit.js';
import { webSearch } from './web-search/toolkit.js';
import { webhook } from './webhook/toolkit.js';

export const nativeToolkits: readonly ToolkitDefinition[] = [
  math,
  keyValue,
  http,
  results,
  discovery,
  platform,
  files,
  email,
  webhook,
  webSearch,
  shell,
  ssh,
  browser,
  code,
  documents,
  database,
  librarian,
  knowledge,
  memory,
  googleGmail,
  googleWorkspace,
  github,
  linear,
  slack,
  stripe,
  telegram,
  smtp,
];
