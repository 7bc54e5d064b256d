/** Finds a Chromium on this machine. None is ever downloaded. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export const whatToInstall = 'install Chromium, e.g. apt-get install chromium';

/** `path`: the value of `PATH`. `preferred`: programs that are tried before the usual ones. */
export function findChromium(path: string, preferred: readonly string[] = []): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder.startsWith('/'));
  const wanted = [...preferred, ...names];
  const places = [...folders.flatMap((folder) => wanted.map((name) => join(folder, name))), ...elsewhere];
  return places.find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
