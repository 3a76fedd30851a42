import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

// Nothing here is drawn by WebGL, whose emulation would draw all the rest as well.
sparticuz.setGraphicsMode = false;

/** How a browser is started. */
interface BrowserOptions {
  /** Enforces origins as a user's browser does; the package's own arguments switch that off. */
  readonly webSecurity?: boolean;
  /** More arguments of the command line. */
  readonly args?: readonly string[];
}

/** A real browser without a window. @throws whatever keeps it from starting on this machine */
export async function launchBrowser({
  webSecurity = false,
  args: more = [],
}: BrowserOptions = {}): Promise<Browser> {
  // The package's own list is for a platform that allows one process only.
  const unwanted = webSecurity
    ? /^--(single-process|no-zygote|headless|disable-web-security|disable-site-isolation|allow-running-insecure)/
    : /^--(single-process|no-zygote|headless)/;
  const args = [...sparticuz.args.filter((arg) => !unwanted.test(arg)), ...more];
  return chromium.launch({ executablePath: await sparticuz.executablePath(), args, headless: true });
}

/** A browser, or why there is none here. */
export async function browserOrReason(options: BrowserOptions = {}): Promise<Browser | string> {
  try {
    return await launchBrowser(options);
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : String(error);
  }
}
