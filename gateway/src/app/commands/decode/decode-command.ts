import { readHexInput } from '@tillbridge/platform/hex-input.js';
import type { DecodeOptions } from '@tillbridge/wire/decode/decode-hex.js';
import { DIALECT_NAMES } from '@tillbridge/wire/iso8583/dialects/dialect-names.js';
import { type Command, Option } from 'commander';
import { OperatorError } from '../../../kernel/errors/operator-error.js';

interface Options extends DecodeOptions {
  readonly file?: string;
}

const refuse = (problem: string): Error => new OperatorError(problem);

/** `decode`: needs neither home nor configuration. */
export function addDecodeCommand(program: Command): void {
  program
    .command('decode')
    .description('Show a message of an acquirer (ISO 8583) or EMV data, in hex; card data is masked.')
    .argument('[hex...]', 'hex digits; blanks, colons and hyphens are skipped; - or nothing: standard input')
    .option('--file <file>', 'read the digits from a file')
    .addOption(new Option('--dialect <name>', 'dialect of the message; tried without').choices(DIALECT_NAMES))
    .option('--tag <tag>', 'the digits are the value of this EMV tag alone')
    .option('--json', 'as JSON')
    .action(async (hex: readonly string[], { file, ...options }: Options) => {
      const { decodeHex } = await import('@tillbridge/wire/decode/decode-hex.js');
      const { text, problem } = decodeHex(readHexInput(hex, file, refuse), options, refuse);
      if (text !== '') process.stdout.write(`${text}\n`);
      if (problem !== undefined) throw refuse(problem);
    });
}
