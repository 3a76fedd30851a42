// Joins the built modules of each program and the packages that they load into few files: `dist/bundle/main.js` of a package, which is what its
// launcher runs, loads them. Node.js finds, reads and links each module separately; a thousand of them were half of a start.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What every program is made of, in addition to its own package. */
const SHARED = ['protocol/wire', 'protocol/platform'];
/** What each package runs, in its `dist`, and of what other packages it is made. */
const PROGRAMS = {
  gateway: { main: 'app/main.js', of: SHARED },
  agent: { main: 'main.js', of: SHARED },
  'hardware-sim': { main: 'main.js', of: SHARED },
  test: { main: 'start/main.js', of: [...SHARED, 'gateway', 'agent', 'hardware-sim'] },
};

/** Installed packages that stay outside: native code, files that a package reads from its own folder, and what few homes ever load. */
const OUTSIDE = [
  ...['sqlite3', 'serialport', 'node-hid', 'koffi', 'pkcs11js'],
  ...['ftp-srv', '@opentelemetry/sdk-trace-node', '@opentelemetry/exporter-trace-otlp-http'],
  // Packages try to load these, and go on without them.
  ...['pg-native', 'bufferutil', 'utf-8-validate'],
];

/** What each launcher runs. */
const LOADER = join(ROOT, 'protocol', 'platform', 'bin', 'load-program.js');

/** The compiler writes its own record with every change of a package. */
const RECORD = '.tsbuildinfo';
const recordOf = (name) => join(ROOT, name, 'dist', RECORD);

/** The page of the API reference: each program that has an API serves it with its own document. */
const API_REFERENCE = {
  sources: join('protocol', 'panel-kit', 'src', 'api-reference'),
  folder: 'api-reference',
  title: 'API reference',
  files: '/docs/panel',
};

/** Programs that serve a panel, its sources with its first module, the folder of `dist` that it is written to, and its title. */
const PANELS = [
  {
    name: 'agent',
    sources: join('agent', 'panel', 'src'),
    folder: 'panel',
    title: 'tillbridge store',
    app: { name: 'tillbridge store', shortName: 'Till' },
  },
  {
    name: 'agent',
    sources: join('agent', 'panel', 'src'),
    main: join('display', 'main.tsx'),
    folder: 'display-page',
    title: 'Customer display',
    files: '/display',
  },
  {
    name: 'hardware-sim',
    sources: join('hardware-sim', 'panel', 'src'),
    folder: 'panel',
    title: 'tillbridge simulator',
  },
  {
    name: 'gateway',
    sources: join('gateway', 'console', 'src'),
    folder: 'console',
    title: 'tillbridge console',
    files: '/console/panel',
  },
  { name: 'agent', ...API_REFERENCE },
  { name: 'gateway', ...API_REFERENCE },
];

/** How long files of an earlier bundle are kept, in milliseconds: a program that runs may still load one. */
const KEEP_MS = 24 * 3_600_000;

/** Bundles what browsers load, and every program, whose build is newer than its bundle. */
export async function bundle() {
  const browser = join(ROOT, 'gateway', 'dist', 'browser');
  const script = join(ROOT, 'gateway', 'widget', 'build.mjs');
  if (
    isStale(join(browser, 'paymentWidgets.js'), [
      recordOf('protocol/wire'),
      join(browser, 'types', RECORD),
      script,
    ])
  ) {
    // Loaded here: before the install there is no bundler.
    const { buildWidget } = await import('../../gateway/widget/build.mjs');
    record(browser, { modules: await buildWidget() });
  }
  const panels = PANELS.filter(({ name, sources, folder }) =>
    isStale(join(ROOT, name, 'dist', folder, 'index.html'), [
      ...[join('protocol', 'panel-kit', 'src'), sources].flatMap(filesBelow),
      ...['build.mjs', 'shell.mjs'].map((file) => join(ROOT, 'protocol', 'panel-kit', file)),
    ]),
  );
  if (panels.length > 0) {
    const { buildPanel } = await import('../../protocol/panel-kit/build.mjs');
    for (const { name, sources, main = 'main.tsx', folder, title, files, app } of panels) {
      const entry = join(ROOT, sources, main);
      const output = join(ROOT, name, 'dist', folder);
      record(output, { modules: await buildPanel({ entry, output, title, files, app }) });
    }
  }
  const proofPage = join(ROOT, 'agent', 'dist', 'proof-page', 'verify-proof.html');
  if (isStale(proofPage, [recordOf('protocol/wire'), ...filesBelow(join('agent', 'panel'))])) {
    const { buildSinglePage } = await import('../../protocol/panel-kit/build.mjs');
    const entry = join(ROOT, 'agent', 'panel', 'src', 'proof', 'verify-page.ts');
    const modules = await buildSinglePage({ entry, output: proofPage, title: 'Proof of a sale' });
    record(dirname(proofPage), { modules });
  }
  const stale = Object.entries(PROGRAMS).filter(([name, { of }]) =>
    isStale(join(folderOf(name), 'main.js'), [name, ...of].map(recordOf)),
  );
  if (stale.length === 0) return;
  const { rolldown } = await import('rolldown');
  for (const [name, { main }] of stale) await bundleProgram(rolldown, name, main);
}

/** By this name Vitest calls it before the tests that start programs. */
export { bundle as setup };

function isStale(made, sources) {
  const madeMs = timeOf(made);
  const rules = [join(ROOT, 'package-lock.json'), LOADER, fileURLToPath(import.meta.url)];
  return [...sources, ...rules].some((file) => timeOf(file) > madeMs);
}

/** Gives the bundler the maps of our compiled modules, so that those of a bundle lead to the sources. */
const compiledMaps = {
  name: 'tillbridge-compiled-maps',
  load(id) {
    if (id.includes('node_modules') || !existsSync(`${id}.map`)) return undefined;
    return { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') };
  },
};

async function bundleProgram(rolldown, name, main) {
  const bundled = await rolldown({
    input: { program: join(ROOT, name, 'dist', main) },
    platform: 'node',
    external: OUTSIDE,
    plugins: [compiledMaps],
  });
  const folder = folderOf(name);
  mkdirSync(folder, { recursive: true });
  const { output } = await bundled.write({
    dir: folder,
    // V8 gives the code that it has compiled for a script, and none for an ES module.
    format: 'cjs',
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    comments: { jsdoc: false },
    // Read where a stack is logged (platform/log/source-stacks.ts), and by no debugger.
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
  });
  await bundled.close();
  copyFileSync(LOADER, join(folder, 'main.js'));
  rmSync(join(folder, 'code'), { recursive: true, force: true });
  const written = new Set(['main.js', ...output.map(({ fileName }) => fileName)]);
  record(folder, {
    files: [...written].sort(),
    modules: output.flatMap(({ moduleIds = [] }) => moduleIds),
    imports: output.flatMap(({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports]),
  });
  for (const file of readdirSync(folder).filter((old) => !written.has(old)))
    if (timeOf(join(folder, file)) < Date.now() - KEEP_MS) rmSync(join(folder, file));
}

/**
 * Writes `NAME.contents.json` next to a folder: its current files where older ones stay in it, the packages whose modules are inside, as
 * paths of the lock file, and those that it imports from outside. `npm run package` reads what to pack and whose licence it carries.
 */
function record(folder, { files, modules, imports = [] }) {
  const packages = new Set(
    modules.flatMap((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative(ROOT, id))?.[0] ?? []),
  );
  const outside = OUTSIDE.filter((name) => imports.includes(name));
  const text = JSON.stringify({ files, packages: [...packages].sort(), outside }, null, 2);
  writeFileSync(join(dirname(folder), `${basename(folder)}.contents.json`), `${text}\n`);
}

/** Two levels below the package, as modules in `src` that read files of the package are. */
function folderOf(name) {
  return join(ROOT, name, 'dist', 'bundle');
}

/** Style sheets are in no record of the compiler. */
function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true }).map((file) => join(ROOT, folder, file));
}

function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
