import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageFolder } from '@tillbridge/platform/package-folder.js';

/** The bundles that the build of the browser's sources writes (`gateway/widget/build.mjs`). */
export const BUNDLES = [
  'paymentWidgets.js',
  'field.js',
  'session.js',
  'challenge.js',
  'wallet.js',
  'returned.js',
] as const;

/** Name of a bundle. */
export type Bundle = (typeof BUNDLES)[number];

/** One build: what a browser loads, and what names it. */
export interface WidgetFiles {
  /** SHA-384 of the script in base64. */
  readonly hash: string;
  /** Names the pages in frames that belong to the script. */
  readonly cacheVersion: string;
  readonly files: Readonly<Record<Bundle, string>>;
}

/** Where the build puts them. */
const FOLDER = new URL('dist/browser/', packageFolder(import.meta.url));

/** Reads the build of this package. @throws Error when it was not built */
export function readWidgetFiles(): WidgetFiles {
  const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');
  const files = Object.fromEntries(BUNDLES.map((name) => [name, read(name)])) as WidgetFiles['files'];
  return { hash: hashOf(files['paymentWidgets.js']), cacheVersion: read('version.txt').trim(), files };
}

/** SHA-384 of a text in base64, as Subresource Integrity names it. */
export function hashOf(text: string): string {
  return createHash('sha384').update(text).digest('base64');
}
