/** For tests: pages as a designer would measure them. */
import { expect } from 'vitest';
import { expectAccessible, type Visit } from './ground.js';

const widths = [320, 390, 768, 1280, 1920];
/** The themes differ in colours only: `panel/src/tokens.css`. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

interface Fitting {
  readonly places: readonly string[];
  readonly language: string;
  readonly themes: readonly ('light' | 'dark')[];
}

/** In the second language only texts differ, whose colours are those of the first. */
export const fittings: readonly Omit<Fitting, 'places'>[] = [
  { language: 'en', themes: ['light', 'dark'] },
  { language: 'es', themes: ['light'] },
];

/** Runs in the page: the names of buttons and lists beyond the right edge, which nobody finds on a phone. */
const listBeside = (): string[] =>
  [...document.querySelectorAll('main button, main select')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    .map((one) => one.getAttribute('aria-label') ?? one.textContent ?? '');

/** Fails if a page is too wide in one of five widths or with large text, if a phone does not show a button, or if it is not accessible in one of the `themes`. */
export async function expectFits(visit: Visit, { places, language, themes }: Fitting): Promise<void> {
  const { page } = visit;
  const wrong: string[] = [];
  for (const place of places) {
    await visit.open(place);
    await page.waitForFunction(() => document.querySelector('[role="status"] > span') === null);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (tooWide > 0) wrong.push(`${place} at ${width}: ${tooWide} px too wide`);
      for (const name of width < 600 ? await page.evaluate(listBeside) : [])
        wrong.push(`${place} at ${width}: the button ${name} is beside the screen`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (tooWide > 0) wrong.push(`${place} with text of 200 %: ${tooWide} px too wide`);
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
    for (const [at, colorScheme] of themes.entries()) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, at === 0 ? undefined : rulesOfColours);
    }
  }
  expect(wrong).toEqual([]);
}
