import { AIP_BYTES } from '@tillbridge/wire/emv/bit-fields.js';
import { findTemplate, findTlv } from '@tillbridge/wire/emv/tlv.js';
import { INS, SW } from '../cards/core/apdu.js';
import type { Card } from '../cards/core/card.js';
import { exchange, primitives, readObjects } from './card-reader.js';
import { KernelError, swText } from './kernel-error.js';
import type { TransactionData } from './transaction-data.js';

/**
 * GET PROCESSING OPTIONS: gives the card what it requests and takes AIP, AFL and, from a tap, everything else
 * (EMV Book 3 §10.1).
 * @throws KernelError application-not-accepted, fallback, card-data-invalid
 */
export async function initiateApplication(
  card: Card,
  pdol: Uint8Array,
  data: TransactionData,
): Promise<void> {
  const values = data.fill(pdol);
  data.addSignedInput(values);
  const answer = await exchange(card, {
    cla: 0x80,
    ins: INS.getProcessingOptions,
    data: Buffer.concat([lengthOf(values.length), values]),
  });
  if (answer.sw === SW.conditionsNotSatisfied) {
    throw new KernelError('application-not-accepted', 'GET PROCESSING OPTIONS answered 6985');
  }
  if (answer.sw !== SW.ok)
    throw new KernelError('fallback', `GET PROCESSING OPTIONS answered ${swText(answer.sw)}`);
  takeOptions(answer.data, data);
}

/** Tag 83 with its length; longer data than 127 bytes take a second length byte. */
function lengthOf(length: number): Buffer {
  return Buffer.from(length < 0x80 ? [0x83, length] : [0x83, 0x81, length]);
}

function takeOptions(bytes: Uint8Array, data: TransactionData): void {
  const nodes = readObjects(bytes, 'the processing options');
  const flat = findTlv(nodes, '80');
  if (flat !== undefined) {
    data.addFromCard('82', flat.subarray(0, AIP_BYTES));
    data.addFromCard('94', flat.subarray(AIP_BYTES));
  } else {
    for (const { tag, value } of primitives(findTemplate(nodes, '77') ?? [])) data.addFromCard(tag, value);
  }
  if (data.get('82')?.length !== AIP_BYTES) throw new KernelError('card-data-invalid', 'no AIP of two bytes');
}

/** Records that the AFL may name in all; well above what cards have. */
const MAX_RECORDS = 64;
const LOCATOR_BYTES = 4;

/**
 * Reads every record that the application file locator names (EMV Book 3 §10.2).
 * @param mandatory tags that the card must have given by the end
 * @throws KernelError card-data-invalid
 */
export async function readApplicationData(
  card: Card,
  data: TransactionData,
  mandatory: readonly string[],
): Promise<void> {
  for (const { sfi, record, signed } of locatorRecords(data.get('94') ?? Buffer.alloc(0))) {
    const answer = await exchange(card, { cla: 0x00, ins: INS.readRecord, p1: record, p2: (sfi << 3) | 4 });
    if (answer.sw !== SW.ok) {
      throw new KernelError(
        'card-data-invalid',
        `record ${record} of file ${sfi} answered ${swText(answer.sw)}`,
      );
    }
    const template = findTemplate(readObjects(answer.data, 'a record'), '70');
    if (template === undefined) throw new KernelError('card-data-invalid', 'a record without template 70');
    for (const { tag, value } of primitives(template)) data.addFromCard(tag, value);
    if (signed) data.addStaticData(signedContent(sfi, answer.data));
  }
  for (const tag of mandatory) data.require(tag);
}

/** Files 1 to 10 are signed without tag and length of their template, the others as they came (EMV Book 3 §10.3). */
const LAST_EMV_FILE = 10;

function signedContent(sfi: number, record: Uint8Array): Uint8Array {
  if (sfi > LAST_EMV_FILE) return record;
  const lengthBytes = (record[1] ?? 0) < 0x80 ? 1 : 1 + ((record[1] ?? 0) & 0x7f);
  return record.subarray(1 + lengthBytes);
}

interface LocatedRecord {
  readonly sfi: number;
  readonly record: number;
  /** Offline data authentication covers it. */
  readonly signed: boolean;
}

function locatorRecords(afl: Uint8Array): LocatedRecord[] {
  if (afl.length % LOCATOR_BYTES !== 0)
    throw new KernelError('card-data-invalid', 'the AFL is not a multiple of 4');
  const records: LocatedRecord[] = [];
  for (let at = 0; at < afl.length; at += LOCATOR_BYTES) {
    const [sfiByte = 0, first = 0, last = 0, signed = 0] = afl.subarray(at, at + LOCATOR_BYTES);
    if (first === 0 || last < first) throw new KernelError('card-data-invalid', 'the AFL names no records');
    if (signed > last - first + 1)
      throw new KernelError('card-data-invalid', 'the AFL signs more records than it names');
    for (let record = first; record <= last; record += 1)
      records.push({ sfi: sfiByte >>> 3, record, signed: record < first + signed });
  }
  if (records.length > MAX_RECORDS)
    throw new KernelError('card-data-invalid', `the AFL names ${records.length} records`);
  return records;
}
