import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './prepare.mjs';

/** Writes a generated page of the repository; with --check it compares instead, and the process ends with 1 when the page is out of date. */
export function keepPage(path, text, command) {
  const page = join(ROOT, path);
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(page), { recursive: true });
    writeFileSync(page, text);
  } else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
    console.error(`${path} is out of date. Run: ${command}`);
    process.exitCode = 1;
  }
}
