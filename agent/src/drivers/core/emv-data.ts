import { type CryptogramType, cryptogramType } from '@tillbridge/wire/emv/cid.js';
import { FINAL_TAGS, ISSUER_TAGS, REQUEST_TAGS } from '@tillbridge/wire/emv/tag-lists.js';
import { isSensitiveTag } from '@tillbridge/wire/emv/tags.js';
import { decodeTlv, encodeTlv, findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import type { CompleteOutcome, EntryMode, OnlineResult } from './driver.js';
import { MAX_POS_FIELD_BYTES } from './limits.js';
import { andThen, attempt, failed, type Result } from './result.js';

type IssuerAnswer = Exclude<OnlineResult, { readonly kind: 'unable-to-go-online' }>;

const RESPONSE_CODE = /^[0-9A-Za-z]{2}$/;
const EMPTY = Buffer.alloc(0);

/** Objects of the tags in a list. */
function pickTags(nodes: readonly TlvNode[], tags: readonly string[]): readonly TlvNode[] {
  return nodes.filter(({ tag }) => tags.includes(tag));
}

/** Tags one after the other, as a request to a terminal has them. */
export function tagList(tags: readonly string[]): Buffer {
  return Buffer.from(tags.join(''), 'hex');
}

/** Reads BER-TLV from the device or the gateway; broken bytes are a failure. */
export function readTlv(where: string, bytes: Uint8Array): Result<readonly TlvNode[]> {
  return attempt(`${where} is no BER-TLV`, () => decodeTlv(bytes));
}

/** Text of an object; undefined when it is missing. */
export function textOf(nodes: readonly TlvNode[], tag: string): string | undefined {
  const value = findTlv(nodes, tag);
  return value && plainText(value);
}

/** Text as terminals give it: filled with zeros or blanks. */
export function plainText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1').replace(/\0+$/, '').trim();
}

/** EMV data that may leave the terminal: without any tag that holds card data, and within one `pos.*` parameter. */
export function cleanIccData(nodes: readonly TlvNode[]): Result<Buffer> {
  const clean = encodeTlv(nodes.filter(({ tag }) => !isSensitiveTag(tag)));
  if (clean.length <= MAX_POS_FIELD_BYTES) return clean;
  return failed('data-too-long', `EMV data of ${clean.length} bytes, at most ${MAX_POS_FIELD_BYTES}`);
}

/** Whether a card was read in EMV mode: it has a cryptogram. */
export function isChipMode(entryMode: EntryMode): boolean {
  return entryMode === 'ICC' || entryMode === 'NFC_ICC';
}

/** The objects for `pos.iccDataRequest`; none for a card that was not read in EMV mode. */
export function requestData(entryMode: EntryMode, nodes: readonly TlvNode[]): Result<Buffer> {
  return isChipMode(entryMode) ? cleanIccData(pickTags(nodes, REQUEST_TAGS)) : EMPTY;
}

/** The cryptogram that objects hold; undefined when they hold none. */
export function cryptogramOf(nodes: readonly TlvNode[]): CryptogramType | undefined {
  const cid = findTlv(nodes, '9F27')?.[0];
  return cid === undefined ? undefined : cryptogramType(cid);
}

const SCRIPT_RESULTS = ['9F5B'];

/** How a card ended, with the objects of its end. An ARQC that comes again is no end: only its script results are taken. */
export function finalOutcome(kind: 'approved' | 'declined', nodes: readonly TlvNode[]): CompleteOutcome {
  const tags = cryptogramOf(nodes) === 'ARQC' ? SCRIPT_RESULTS : FINAL_TAGS;
  return andThen(cleanIccData(pickTags(nodes, tags)), (iccData) => ({ kind, iccData }));
}

/** The failure of a terminal that reports an approval without a transaction certificate (TC) of the card. */
export const NO_CERTIFICATE = failed(
  'protocol-error',
  'the terminal approves without a certificate of the card',
);

/** Authorisation response code for the card (tag 8A): the issuer's where it fits two characters. */
export function responseCodeForCard({ kind, responseCode }: IssuerAnswer): string {
  if (RESPONSE_CODE.test(responseCode)) return responseCode;
  return kind === 'approved' ? '00' : '05';
}

/** Authentication data and scripts of the issuer's answer, in its order. */
export function issuerData({ issuerData: bytes }: IssuerAnswer): Result<readonly TlvNode[]> {
  return andThen(readTlv('the issuer data', bytes), (nodes) => pickTags(nodes, ISSUER_TAGS));
}

/**
 * The issuer's answer as a card takes it: response code (8A), authentication data, scripts.
 * @param unable response code where the issuer was not reached
 */
export function issuerObjects(result: OnlineResult, unable = ''): Result<readonly TlvNode[]> {
  const withCode = (code: string, data: readonly TlvNode[]) => [
    tlv('8A', Buffer.from(code, 'latin1')),
    ...data,
  ];
  if (result.kind === 'unable-to-go-online') return withCode(unable, []);
  return andThen(issuerData(result), (data) => withCode(responseCodeForCard(result), data));
}

/** Data within what a terminal takes. */
export function withinTerminal(data: Buffer, maxBytes: number): Result<Buffer> {
  if (data.length <= maxBytes) return data;
  return failed('data-too-long', `issuer data of ${data.length} bytes, the terminal takes ${maxBytes}`);
}

/** A magstripe decides nothing: the issuer's answer is final, and without one the sale is declined. */
export function completeMagstripe(result: OnlineResult): CompleteOutcome {
  return { kind: result.kind === 'approved' ? 'approved' : 'declined', iccData: EMPTY };
}
