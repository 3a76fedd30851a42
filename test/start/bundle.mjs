// Joins the built modules of each program into few files: `dist/bundle/main.js` of a package is what its launcher runs. Node.js finds, reads
// and links each module of its own; six hundred of them were a third of a start. Installed packages stay outside.
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAMS = ['gateway', 'agent', 'hardware-sim'];

/** How long files of an earlier bundle are kept, in milliseconds: a program that runs may still load one. */
const KEEP_MS = 24 * 3_600_000;

/** Bundles what browsers load, and every program whose build is newer than its bundle. */
export async function bundle() {
  // Loaded here: before the install there is no bundler.
  const { buildWidget } = await import('../../gateway/widget/build.mjs');
  await buildWidget();
  const stale = PROGRAMS.filter(isStale);
  if (stale.length === 0) return;
  const { rolldown } = await import('rolldown');
  for (const name of stale) await bundleProgram(rolldown, name);
}

/** By this name Vitest calls it before the tests that start programs. */
export { bundle as setup };

/** The compiler writes its own record with every change of a package. */
function isStale(name) {
  const made = timeOf(join(folderOf(name), 'main.js'));
  const sources = ['protocol', name].map((built) => join(ROOT, built, 'dist', '.tsbuildinfo'));
  return [...sources, join(ROOT, 'package-lock.json'), fileURLToPath(import.meta.url)].some(
    (file) => timeOf(file) > made,
  );
}

async function bundleProgram(rolldown, name) {
  const bundled = await rolldown({
    input: { main: join(ROOT, name, 'dist', 'main.js') },
    platform: 'node',
    external: (id) => !/^([./]|@tillbridge\/)/.test(id),
  });
  const folder = folderOf(name);
  mkdirSync(folder, { recursive: true });
  const { output } = await bundled.write({ dir: folder, format: 'esm' });
  await bundled.close();
  const written = new Set(output.map(({ fileName }) => fileName));
  for (const file of readdirSync(folder).filter((old) => !written.has(old)))
    if (timeOf(join(folder, file)) < Date.now() - KEEP_MS) rmSync(join(folder, file));
}

/** Two levels below the package, as modules in `src` that read files of the package are. */
function folderOf(name) {
  return join(ROOT, name, 'dist', 'bundle');
}

function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
