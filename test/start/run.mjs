// What the scripts of the root package.json call: prepares the checkout, then hands over to the requested part.
import { join } from 'node:path';
import { check } from './check.mjs';
import { prepare, ROOT, run } from './prepare.mjs';
import { test } from './test.mjs';

const built =
  (path, ...flags) =>
  (args) =>
    run(process.execPath, [...flags, join(ROOT, 'test', 'dist', path), ...args]);

/** A start that ends at a signal has succeeded. */
async function start(args) {
  let isSignalled = false;
  const note = () => {
    isSignalled = true;
  };
  process.on('SIGINT', note).on('SIGTERM', note);
  const code = await built('bundle/main.js')(args);
  // Where the whole group got the signal, it comes a second time by us, and may meet a process that is ending already.
  return isSignalled && code > 128 && !args.includes('--tour') ? 0 : code;
}

const COMMANDS = {
  // Everything is built before any command.
  build: () => 0,
  start,
  test,
  check,
  vectors: built('vectors/run.js'),
  fuzz: built('fuzz/run.js'),
  // Every core runs a simulation: helpers of the collector would take it away from another.
  simulate: built('simulation/run.js', '--single-threaded-gc'),
  explore: built('explore/run.js'),
  bench: built('bench/run.js'),
  external: built('external/run.js'),
  contention: built('contention/run.js'),
  pictures: built('panels/pictures.js'),
  'panel-heap': built('panels/heap.js'),
  mutations: built('mutation/run.js'),
  package: built('packages/command/run.js'),
  'package-root': built('packages/release/root-command.js'),
};

const [name = '', ...args] = process.argv.slice(2);
const command = COMMANDS[name];
if (!command) {
  process.stderr.write(`Unknown command "${name}"; there are ${Object.keys(COMMANDS).join(', ')}.\n`);
  process.exit(2);
}
// A start that ends at a signal has succeeded; a check that was not made is no success.
if (await prepare()) process.exitCode = await command(args);
else process.exitCode = name === 'start' ? 0 : 130;
