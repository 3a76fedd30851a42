// Bundles a panel for the browser: one page, one script and one style sheet.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';
import { shellFiles } from './shell.mjs';

/**
 * Writes `index.html` and, under names that change with their content, a script and a style sheet.
 * The same sources give the same bytes.
 * @param entry the first module of the panel, an absolute path; modules import their style sheets
 * @param output the folder that holds the files and no others
 * @param title the title of the page until the panel sets another
 * @param files the path of the folder under which script and style sheet are served, relative to the page
 * @param app names of a panel that can be installed; absent: it cannot
 * @returns the paths of the modules that are inside
 */
export async function buildPanel({ entry, output, title, files: folder = 'panel', app }) {
  const { code, styles, modules } = await bundled(entry);
  const script = hashed('panel', code, 'js');
  const style = hashed('panel', styles, 'css');
  const own = {
    [script]: code,
    [style]: styles,
    'index.html': page(title, `${folder}/${script}`, `${folder}/${style}`, app),
  };
  const files = { ...own, ...(app && shellFiles(app, own)) };
  mkdirSync(output, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(output, name), text);
  for (const name of readdirSync(output))
    if (!(name in files)) rmSync(join(output, name), { recursive: true });
  return modules;
}

/**
 * Writes one page with its script and styles inside, which works from a file. Its policy lets it load and send nothing.
 * @param entry the first module, an absolute path
 * @param output the file
 * @param title the title of the page
 * @returns the paths of the modules that are inside
 */
export async function buildSinglePage({ entry, output, title }) {
  const { code, styles, modules } = await bundled(entry);
  mkdirSync(dirname(output), { recursive: true });
  // A script ends where its end tag stands, in a text too.
  writeFileSync(output, singlePage(title, code.trim().replaceAll('</', '<\\/'), styles));
  return modules;
}

/** The script and the styles of a page, and the paths of the modules that they are made of. */
async function bundled(entry) {
  const sheets = new Map();
  const { output: chunks } = await build({
    input: entry,
    platform: 'browser',
    resolve: { conditionNames: ['tillbridge-source', 'import', 'default'] },
    transform: { target: 'es2022' },
    plugins: [styleSheets(sheets)],
    logLevel: 'warn',
    write: false,
    output: { format: 'esm', minify: true, comments: false, codeSplitting: false },
  });
  const [{ code, moduleIds }] = chunks;
  const styles = minified(moduleIds.flatMap((id) => sheets.get(id) ?? []).join('\n'));
  return { code, styles, modules: moduleIds };
}

/** Takes style sheets out of the script, and keeps them by module: the order of the modules is theirs. */
function styleSheets(sheets) {
  return {
    name: 'style-sheets',
    load(id) {
      if (!id.endsWith('.css')) return undefined;
      sheets.set(id, readFileSync(id, 'utf8'));
      return { code: 'export {};', moduleType: 'js', moduleSideEffects: 'no-treeshake' };
    },
  };
}

/** Without comments, and with no more white space than the rules need. */
function minified(styles) {
  return styles
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;}/g, '}')
    .trim();
}

function hashed(name, text, ending) {
  return `${name}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.${ending}`;
}

function singlePage(title, script, styles) {
  const source = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none'; script-src ${source(script)}; style-src ${source(styles)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title>
<style>${styles}</style>
</head>
<body><div id="panel"></div><noscript>This page needs JavaScript.</noscript>
<script type="module">${script}</script>
</body>
</html>
`;
}

function page(title, script, style, app) {
  const icon = app
    ? '<link rel="icon" href="/icon.svg" type="image/svg+xml">\n<link rel="manifest" href="/manifest.webmanifest">'
    : '<link rel="icon" href="data:,">';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${icon}
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body><div id="panel"></div><noscript>This page needs JavaScript.</noscript></body>
</html>
`;
}
