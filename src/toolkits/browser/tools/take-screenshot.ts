import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineTool, ToolContent } from '../../../domain/tool.js';
import { browserConfig, browserEgress, pageUrl, waitMs } from '../shapes.js';

export const takeScreenshot = defineTool({
  name: 'take_screenshot',
  title: 'Take a screenshot',
  description: 'Open a web page in a real browser and return a picture of it (PNG).',
  searchWords: 'screen shot picture capture snapshot image of website page how does it look photo',
  inputSchema: z.strictObject({
    url: pageUrl,
    width: z.int().min(200).max(3_840).default(1_280).describe('Pixels'),
    height: z.int().min(200).max(4_320).default(800).describe('Pixels'),
    full_page: z.boolean().default(false).describe('The whole page, not only what the window shows'),
    wait_ms: waitMs,
  }),
  outputSchema: z.strictObject({
    url: z.string(),
    title: z.string(),
    width: z.int(),
    height: z.int(),
    bytes: z.int(),
    truncated: z.boolean().describe('Whether the page continues below the picture'),
  }),
  configSchema: browserConfig,
  annotations: effects.reads,
  capabilities: ['take screenshot'],
  examples: [{ input: { url: 'https://example.com', full_page: true } }],
  egress: browserEgress,
  async execute({ url, width, height, full_page, wait_ms }, { browser }) {
    const wait = wait_ms === undefined ? {} : { waitMs: wait_ms };
    const shot = await browser.screenshot({ url, width, height, fullPage: full_page, ...wait });
    const png = Buffer.from(shot.png);
    // The header of a PNG says how large the picture is.
    const size = { width: png.readUInt32BE(16), height: png.readUInt32BE(20), bytes: png.length };
    const image = { type: 'image', data: png.toString('base64'), mimeType: 'image/png' } as const;
    return new ToolContent([image], { url: shot.url, title: shot.title, ...size, truncated: shot.cut });
  },
});
