import { tagInfo } from '@tillbridge/wire/emv/tags.js';
import type { TlvNode } from '@tillbridge/wire/emv/tlv.js';
import type { ApplicationParameters, TransactionInputs } from './terminal-parameters.js';
import type { TransactionData } from './transaction-data.js';

const MAX_BINARY_AMOUNT = 0xffffffff;

/** Results that only the kernel writes, and objects that only a card may give: a host cannot replace them. */
const KERNEL_RESULTS: ReadonlySet<string> = new Set(['95', '9B', '9F34', '9F37']);

/** Puts the terminal's own objects for an AID in place. */
export function setParameters(data: TransactionData, parameters: ApplicationParameters): void {
  for (const [tag, value] of parameters.objects) data.set(tag, value);
  data.set('9F06', Buffer.from(parameters.aid, 'hex'));
  const version = parameters.versions[0];
  if (version !== undefined) data.set('9F09', Buffer.from(version, 'hex'));
}

/** Puts the transaction's objects in place; objects of the host come last and win. */
export function setInputs(
  data: TransactionData,
  inputs: TransactionInputs,
  overrides: readonly TlvNode[],
): void {
  setAmounts(data, inputs.amountMinor, inputs.cashbackMinor);
  data.set('9A', Buffer.from(inputs.date, 'hex'));
  data.set('9F21', Buffer.from(inputs.time, 'hex'));
  data.set('9C', Buffer.from([inputs.transactionType]));
  data.set('9F41', Buffer.from(String(inputs.sequenceNumber).padStart(8, '0').slice(-8), 'hex'));
  if (inputs.currency !== undefined) data.set('5F2A', Buffer.from(inputs.currency.padStart(4, '0'), 'hex'));
  setOverrides(data, overrides);
}

/** Objects of the host replace the terminal's own; what only a card or the kernel may give is left out. */
export function setOverrides(data: TransactionData, overrides: readonly TlvNode[]): void {
  for (const node of overrides) {
    const mayCome = !KERNEL_RESULTS.has(node.tag) && tagInfo(node.tag)?.source !== 'card';
    if (mayCome && 'value' in node) data.set(node.tag, node.value);
  }
}

/** Both forms of both amounts (EMV Book 3 Annex A: 9F02, 81, 9F03, 9F04). */
export function setAmounts(data: TransactionData, amountMinor: number, cashbackMinor: number): void {
  data.set('9F02', numeric(amountMinor));
  data.set('9F03', numeric(cashbackMinor));
  data.set('81', binary(amountMinor));
  data.set('9F04', binary(cashbackMinor));
}

function numeric(amountMinor: number): Buffer {
  return Buffer.from(String(amountMinor).padStart(12, '0'), 'hex');
}

function binary(amountMinor: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(Math.min(amountMinor, MAX_BINARY_AMOUNT));
  return bytes;
}
