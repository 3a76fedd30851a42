import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GatheredLines } from './gathered-lines.js';

/** What was written, and where it goes. */
function target(): { readonly written: string[]; readonly lines: GatheredLines } {
  const written: string[] = [];
  return { written, lines: new GatheredLines({ write: (text) => written.push(text) }) };
}
const endOfTurn = () => new Promise(setImmediate);

it('writes the lines of a turn together, in their order, and each once', async () => {
  const { written, lines } = target();
  for (const line of ['a', 'b', 'c']) lines.write(`${line}\n`);
  expect(written).toEqual([]);
  await endOfTurn();
  lines.write('d\n');
  await endOfTurn();
  await endOfTurn();
  expect(written).toEqual(['a\nb\nc\n', 'd\n']);
});

it('writes at once what may not wait, after what waits', async () => {
  const { written, lines } = target();
  lines.write('a\n');
  lines.write('fault\n', true);
  expect(written).toEqual(['a\nfault\n']);
  await endOfTurn();
  expect(written).toHaveLength(1);
});

it('lets no more than 64 KiB wait', () => {
  const { written, lines } = target();
  for (let line = 0; line < 65; line += 1) lines.write(`${'x'.repeat(1_023)}\n`);
  expect(written.map(({ length }) => length)).toEqual([65_536]);
});

it.each(['process.exit(3)', "throw new Error('unhandled')", 'Promise.reject(new Error())'])(
  'writes what waits when the program ends by %s',
  (end) => {
    const folder = mkdtempSync(join(tmpdir(), 'gathered-lines-'));
    const path = join(folder, 'a.log');
    const built = JSON.stringify(new URL('../../dist/log/log.js', import.meta.url).href);
    const program = `
    import { createLog } from ${built};
    const log = createLog('test', { level: 'info', target: ${JSON.stringify(path)} });
    log.info('the last line');
    ${end};
  `;
    spawnSync(process.execPath, ['--input-type=module', '-e', program]);
    expect(readFileSync(path, 'utf8')).toContain('"msg":"the last line"');
    rmSync(folder, { recursive: true });
  },
);
