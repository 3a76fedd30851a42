// What the scripts of the root package.json call: prepares the checkout, then hands over to the part that was asked for.
import { join } from 'node:path';
import { check } from './check.mjs';
import { prepare, ROOT, run } from './prepare.mjs';
import { test } from './test.mjs';

const built = (path) => (args) => run(process.execPath, [join(ROOT, 'test', 'dist', path), ...args]);

const COMMANDS = {
  start: built('stack/main.js'),
  test,
  check,
  vectors: built('vectors/run.js'),
  fuzz: built('fuzz/run.js'),
  simulate: built('simulation/run.js'),
  bench: built('bench/run.js'),
};

const [name = '', ...args] = process.argv.slice(2);
const command = COMMANDS[name];
if (!command) {
  process.stderr.write(`Unknown command "${name}"; there are ${Object.keys(COMMANDS).join(', ')}.\n`);
  process.exit(2);
}
// A start that was told to end has ended as it should; a check that was not made is no success.
if (await prepare()) process.exitCode = await command(args);
else process.exitCode = name === 'start' ? 0 : 130;
