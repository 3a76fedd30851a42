import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBrowser } from '../browser/launch.js';
import { FOLDER_VARIABLE } from '../stack/prepared-home.js';
import { WidgetStack } from './widget-stack.js';

/** Does a work with a stack of its own, outside of tests. */
export async function withWidgetStack<T>(work: (widget: WidgetStack) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-widget-'));
  process.env[FOLDER_VARIABLE] = folder;
  // The stack ends its browser with itself.
  const widget = await WidgetStack.start(await launchBrowser());
  try {
    return await work(widget);
  } finally {
    await widget.end();
    rmSync(folder, { recursive: true });
  }
}
