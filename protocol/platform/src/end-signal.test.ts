import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';

/** A program that ends at a signal, after work that the test lets end by closing its standard input. */
const PROGRAM = `
  import { endSignal } from ${JSON.stringify(new URL('../dist/end-signal.js', import.meta.url).href)};
  const ended = endSignal();
  process.stdin.resume().on('end', () => process.exit(0));
  console.log('running');
  process.on('SIGUSR2', () => console.log('still ending'));
  console.log('ending by', await ended);
`;

const children: { kill(signal: 'SIGKILL'): boolean }[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function runProgram() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => (await lines.next()).value;
  expect(await line()).toBe('running');
  return { child, line, exit: once(child, 'exit') };
}

describe.skipIf(process.platform === 'win32')('endSignal', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'lets the work of ending finish when SIGTERM follows %s, however often',
    async (first) => {
      const { child, line, exit } = await runProgram();
      child.kill(first);
      expect(await line()).toBe(`ending by ${first}`);
      child.kill('SIGTERM');
      child.kill('SIGTERM');
      child.kill('SIGUSR2');
      expect(await line()).toBe('still ending');
      child.stdin.end();
      expect(await exit).toEqual([0, null]);
    },
  );

  it('ends at once when a person interrupts a second time', async () => {
    const { child, line, exit } = await runProgram();
    child.kill('SIGINT');
    expect(await line()).toBe('ending by SIGINT');
    child.kill('SIGINT');
    expect(await exit).toEqual([null, 'SIGINT']);
  });
});
