// Rebuilds generated/bridge.js and generated/bridge.d.ts from bridge.proto.
// With --check it compares instead and exits 1 when the committed files are out of date.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const check = process.argv.includes('--check');
const outDir = check ? mkdtempSync(join(tmpdir(), 'bridge-')) : join(folder, 'generated');
const cli = dirname(require.resolve('protobufjs-cli/package.json'));
const js = join(outDir, 'bridge.js');
const types = join(outDir, 'bridge.d.ts');

const shape = ['--target', 'static-module', '--wrap', 'es6', '--dependency', 'protobufjs/minimal.js'];
const trim = ['--no-create', '--no-delimited', '--no-service', '--force-number'];
execFileSync(process.execPath, [
  join(cli, 'bin/pbjs'),
  ...shape,
  ...trim,
  '--out',
  js,
  join(folder, '..', 'bridge.proto'),
]);
execFileSync(process.execPath, [join(cli, 'bin/pbts'), '--out', types, js]);

if (check) {
  const stale = ['bridge.js', 'bridge.d.ts'].filter(
    (name) =>
      readFileSync(join(outDir, name), 'utf8') !== readFileSync(join(folder, 'generated', name), 'utf8'),
  );
  rmSync(outDir, { recursive: true });
  if (stale.length > 0) {
    console.error(
      `protocol/wire/generated is out of date: ${stale.join(', ')}. Run: npm run generate -w protocol/wire`,
    );
    process.exit(1);
  }
}
