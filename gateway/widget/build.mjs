// Bundles what runs in the browser: the script of the widget, and the scripts of the pages in its frames.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { iso31661 } from 'iso-3166';
import { build } from 'rolldown';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const OUTPUT = join(FOLDER, '..', 'dist', 'browser');

/** The pages in frames; each script is a separate bundle, without imports. */
const FRAMES = ['field', 'session', 'challenge', 'wallet', 'returned'];

/**
 * Writes the bundles into `gateway/dist/browser`; the same sources give the same bytes.
 * @returns the paths of the modules that are inside
 */
export async function buildWidget() {
  mkdirSync(OUTPUT, { recursive: true });
  const frames = await Promise.all(FRAMES.map((name) => bundle(`frames/${name}.ts`, `${name}.js`)));
  const version = createHash('sha256')
    .update(frames.map(({ code }) => code).join('\0'))
    .digest('hex')
    .slice(0, 16);
  writeFileSync(join(OUTPUT, 'version.txt'), version);
  const widget = await bundle('widget.ts', 'paymentWidgets.js', {
    __CACHE_VERSION__: JSON.stringify(version),
    __COUNTRIES__: JSON.stringify(iso31661.map(({ alpha2 }) => alpha2).join('')),
  });
  return [...frames, widget].flatMap(({ moduleIds }) => moduleIds);
}

/** Bundles a source; returns the text and the paths of its modules. */
async function bundle(source, file, define = {}) {
  const { output } = await build({
    input: join(FOLDER, 'src', source),
    platform: 'browser',
    resolve: { conditionNames: ['tillbridge-source', 'import', 'default'] },
    transform: { target: 'es2020', define },
    logLevel: 'warn',
    output: { file: join(OUTPUT, file), format: 'iife', minify: true, comments: false },
  });
  return output[0];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWidget();
