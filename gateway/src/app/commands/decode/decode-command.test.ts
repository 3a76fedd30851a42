import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { OperatorError } from '../../../kernel/errors/operator-error.js';
import { addDecodeCommand } from './decode-command.js';

afterEach(() => vi.restoreAllMocks());

async function decode(...words: string[]): Promise<string> {
  const program = new Command().exitOverride();
  addDecodeCommand(program);
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await program.parseAsync(['decode', ...words], { from: 'user' });
  return write.mock.calls.map(([text]) => String(text)).join('');
}

it('shows a message of an acquirer', async () => {
  const text = await decode('0800', '2020000000800000', '990000', '000001', '5431303031202020');
  expect(text).toContain('network management, request');
  expect(text).toContain(' 41 card acceptor terminal: T1001');
});

it('refuses what it cannot read, without showing it', async () => {
  await expect(decode('--dialect', 'cmf', '0800')).rejects.toThrow(OperatorError);
  await expect(decode('4761739001010010x')).rejects.toThrow(/^not hex: character 17/);
});
