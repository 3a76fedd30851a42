import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** A real browser without a window. @throws whatever keeps it from starting on this machine */
export async function launchBrowser(): Promise<Browser> {
  // The package's own list is for a platform that allows one process alone.
  const args = sparticuz.args.filter((arg) => !/^--(single-process|no-zygote|headless)/.test(arg));
  return chromium.launch({ executablePath: await sparticuz.executablePath(), args, headless: true });
}

/** A browser, or why there is none here. */
export async function browserOrReason(): Promise<Browser | string> {
  try {
    return await launchBrowser();
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : String(error);
  }
}
