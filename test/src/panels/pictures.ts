import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../browser/launch.js';
import { consolePictures } from './console-pictures.js';
import { docsPictures } from './docs-pictures.js';
import { formPictures } from './form-pictures.js';
import { type Shoot, VIEWPORTS } from './panel-page.js';
import { simulatorPictures } from './simulator-pictures.js';
import { storePictures } from './store-pictures.js';

const USAGE = `usage: npm run pictures [-- PANEL…] [-- --to FOLDER]

Takes pictures of the panels, the API reference and the pages for shoppers on a separate system, at the sizes of a phone, a tablet and a desktop.
PANEL: console, docs, form, simulator, store; default: all. FOLDER: default .local/pictures.
Exit codes: 0 taken, 1 failed, 2 wrong usage.
`;

const PANELS: Readonly<Record<string, (browser: Browser, shoot: Shoot) => Promise<void>>> = {
  console: consolePictures,
  docs: docsPictures,
  form: formPictures,
  simulator: simulatorPictures,
  store: storePictures,
};

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const at = args.indexOf('--to');
  const folder = resolve(at < 0 ? '.local/pictures' : (args[at + 1] ?? ''));
  const names = args.filter((_arg, place) => at < 0 || (place !== at && place !== at + 1));
  const unknown = names.find((name) => !Object.hasOwn(PANELS, name));
  if (unknown !== undefined || (at >= 0 && args[at + 1] === undefined)) {
    process.stderr.write(`"${unknown ?? '--to'}" is not expected\n${USAGE}`);
    return 2;
  }
  mkdirSync(folder, { recursive: true });
  const browser = await launchBrowser();
  try {
    for (const name of names.length > 0 ? names : Object.keys(PANELS))
      await PANELS[name]?.(browser, (page, scene, part) => shoot(page, `${folder}/${name}-${scene}`, part));
  } finally {
    await browser.close();
  }
  process.stdout.write(`pictures: ${folder}\n`);
  return 0;
}

async function shoot(page: Page, path: string, part?: Locator): Promise<void> {
  for (const [size, viewport] of Object.entries(VIEWPORTS)) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await scrollTo(part);
    await page.screenshot({ path: `${path}-${size}.png` });
  }
  await page.setViewportSize(VIEWPORTS.tablet);
  await scrollTo(part);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.screenshot({ path: `${path}-tablet-dark.png` });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** The same part stands elsewhere at another size. */
async function scrollTo(part: Locator | undefined): Promise<void> {
  await part?.evaluate((element) => (element as unknown as Scrolled).scrollIntoView());
}

interface Scrolled {
  scrollIntoView(): void;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return 1;
});
