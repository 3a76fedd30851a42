// `dist/bundle/main.js` of each program: loads what the bundler has joined into the other files of its folder, with the code that V8 compiled for
// them at an earlier start. To compile it is a third of what a start takes; Node.js keeps no such code before version 22.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
/** V8 takes the code of this very version with these flags and no other. */
const CODE = join(FOLDER, 'code', `${process.version}-${process.arch}-${cachedDataVersionTag()}`);
const HASH_BYTES = 32;

const outside = createRequire(import.meta.url);
const modules = new Map();
/** Scripts without kept code, and their sources. */
const fresh = new Map();

function load(name) {
  const known = modules.get(name);
  if (known) return known.exports;
  const filename = join(FOLDER, name);
  const source = readFileSync(filename);
  const cachedData = keptCode(name, source);
  // As Node.js wraps CommonJS, in a line of its own: stacks have the lines of the file.
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {\n${source}\n})`, {
    ...{ filename, lineOffset: -1, cachedData },
  });
  if (!cachedData || script.cachedDataRejected) fresh.set(name, { script, source });
  const module = { exports: {} };
  modules.set(name, module);
  script.runInThisContext()(module.exports, requireFrom, module, filename, FOLDER);
  return module.exports;
}

function requireFrom(id) {
  return id.startsWith('./') ? load(id.slice(2)) : outside(id);
}

/** The code that was kept for this source; undefined where there is none, or what there is was not written to its end. */
function keptCode(name, source) {
  try {
    const kept = readFileSync(join(CODE, name));
    const code = kept.subarray(HASH_BYTES);
    return kept.subarray(0, HASH_BYTES).equals(hashOf(source, code)) ? code : undefined;
  } catch {
    return undefined;
  }
}

function hashOf(source, code) {
  return createHash('sha256').update(source).update(code).digest();
}

/** Keeps what this start had to compile. Where the folder cannot be written, the next start compiles it again. */
function keepCode() {
  try {
    if (fresh.size > 0) mkdirSync(CODE, { recursive: true });
    for (const [name, { script, source }] of fresh) {
      const code = script.createCachedData();
      const whole = join(CODE, name);
      const part = `${whole}.${process.pid}`;
      writeFileSync(part, Buffer.concat([hashOf(source, code), code]));
      renameSync(part, whole);
    }
  } catch {}
  fresh.clear();
}

// A command that ends by itself has compiled a part only.
process.once('tillbridge:started', () => setImmediate(keepCode));
// A package is installed by root, and started by a user who may not write there: root keeps what a start that does not get far has compiled.
if (process.env.TILLBRIDGE_KEEP_CODE) process.once('exit', keepCode);

load('program.cjs');
