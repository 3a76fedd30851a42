import { readFileSync } from 'node:fs';
import { withSecret } from '@tillbridge/wire/bytes.js';
import { passesLuhn } from '@tillbridge/wire/mask/luhn.js';
import { present } from '@tillbridge/wire/present.js';
import type { AcquirerCard } from '../../../../core/acquirers/acquirer.js';
import { readSecretFile } from '../../../../kernel/data-folder/secret-file.js';
import { OperatorError } from '../../../../kernel/errors/operator-error.js';
import { promptSecret } from '../../secret-prompt.js';

/** Bytes that a line of a card may have at most, and all lines. */
const MAX_LINE_BYTES = 40;
const MAX_CARD_BYTES = 256;
const STANDARD_INPUT = '-';
const INSTEAD = 'give the card with --card FILE, or pipe it in with --card -';

/**
 * The card of a trial: of a file of mode 0600, of standard input (`-`), or typed at the terminal, which does not show it.
 * @throws OperatorError, SecretFileError, PromptError; no message has a value of the card
 */
export async function readTrialCard(source: string | undefined): Promise<AcquirerCard> {
  const content = source === undefined ? await typed() : source === STANDARD_INPUT ? piped() : ofFile(source);
  return withSecret(content, (bytes) => trialCard(bytes.toString('latin1')));
}

/** A card of its lines: number, expiry (`MM/YY`), and the verification value where one is to be sent. @throws OperatorError */
export function trialCard(text: string): AcquirerCard {
  const [number = '', expiry = '', cvv = '', ...more] = text.trim().split(/\r?\n/);
  const pan = number.replace(/[ -]/g, '');
  if (!/^\d{12,19}$/.test(pan) || !passesLuhn(pan))
    throw new OperatorError('line 1 of the card is no card number: 12 to 19 digits, the last a check digit');
  const [, expiryMonth, year] = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(expiry.trim()) ?? [];
  if (expiryMonth === undefined || year === undefined)
    throw new OperatorError('line 2 of the card is no expiry date: write MM/YY');
  const value = cvv.trim();
  if (!/^(?:\d{3,4})?$/.test(value))
    throw new OperatorError('line 3 of the card is no verification value: three or four digits, or no line');
  if (more.some((line) => line.trim() !== '')) throw new OperatorError('the card has more than three lines');
  return {
    kind: 'card',
    pan,
    expiryYear: `20${year}`,
    expiryMonth,
    ...present({ cvv: value === '' ? undefined : value }),
  };
}

async function typed(): Promise<Buffer> {
  const lines: Buffer[] = [];
  for (const what of ['card number', 'expiry (MM/YY)', 'verification value (Enter: none)']) {
    const question = `${what}, not shown: `;
    lines.push(await promptSecret(process.stdin, process.stderr, question, MAX_LINE_BYTES, INSTEAD));
    lines.push(Buffer.from('\n'));
  }
  const content = Buffer.concat(lines);
  for (const line of lines) line.fill(0);
  return content;
}

function piped(): Buffer {
  return small(readFileSync(0), 'standard input');
}

function ofFile(path: string): Buffer {
  const content = readSecretFile(path);
  if (!content) throw new OperatorError(`${path} is missing: it must hold the card, a line for each value`);
  return small(content, path);
}

function small(content: Buffer, source: string): Buffer {
  if (content.length > MAX_CARD_BYTES)
    throw new OperatorError(`${source} is larger than ${MAX_CARD_BYTES} bytes: is it a card?`);
  return content;
}
