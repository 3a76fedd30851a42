import { fromHex, wipe } from '@tillbridge/wire/bytes.js';
import type { CryptogramType } from '@tillbridge/wire/emv/cid.js';
import { dolLength, parseDol } from '@tillbridge/wire/emv/dol.js';
import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { type CommandApdu, type ResponseApdu, SW } from '../core/apdu.js';
import { type ApplicationProfile, fileLocator } from '../core/application-profile.js';
import { type ChipContext, transactionAtc } from '../core/card-session.js';
import { MAX_ATC } from '../core/card-state.js';
import { combinedSignature } from '../oda/dynamic-signature.js';
import { decideFirst, decideSecond, offlineLimitExceeded } from './card-risk.js';
import { applicationCryptogram, cryptogramScheme, cryptogramSessionKey } from './cryptogram-scheme.js';

const NO_DATA = Buffer.alloc(0);
const CID: Readonly<Record<CryptogramType, number>> = { AAC: 0x00, TC: 0x40, ARQC: 0x80, RFU: 0xc0 };
const REQUESTS: readonly (CryptogramType | undefined)[] = ['AAC', 'TC', 'ARQC', undefined];
/** Response codes of a terminal that could not reach the issuer (EMV Book 4 Annex A6). */
/** Bits of P1 other than the cryptogram type: the terminal wants it signed (CDA). */
const CDA_REQUESTED = 0x10;
const OTHER_P1_BITS = 0x3f & ~CDA_REQUESTED;
const UNABLE_TO_GO_ONLINE: ReadonlySet<string> = new Set(['Y3', 'Z3']);

const GENERATES_AC: ReadonlySet<ApplicationProfile['mode']> = new Set(['contact', 'tap-generate-ac']);

const refuse = (sw: number): ResponseApdu => ({ sw, data: NO_DATA });

/** Splits the data of a filled list into the session's values; false when the length is another. */
function takeValues(chip: ChipContext, dol: string, data: Uint8Array): boolean {
  const entries = parseDol(fromHex(dol));
  if (dolLength(entries) !== data.length) return false;
  let at = 0;
  for (const { tag, length } of entries) {
    chip.session.terminalValues.set(tag, Buffer.from(data.subarray(at, at + length)));
    at += length;
  }
  chip.session.transactionInputs.push(Buffer.from(data));
  return true;
}

/**
 * GET PROCESSING OPTIONS (EMV Book 3 §6.5.8): begins a transaction. The new ATC is on disk before anything is
 * computed with it.
 */
export function getProcessingOptions(chip: ChipContext, command: CommandApdu): ResponseApdu {
  const { profile, session, memory } = chip;
  if (session.selected !== 'application' || session.initiated) return refuse(SW.conditionsNotSatisfied);
  if (memory.state.applicationBlocked || memory.state.atc >= MAX_ATC)
    return refuse(SW.conditionsNotSatisfied);
  const [template, length, ...rest] = command.data;
  if (template !== 0x83 || length !== rest.length) return refuse(SW.wrongData);
  if (!takeValues(chip, profile.pdol, Buffer.from(rest))) return refuse(SW.wrongLength);
  const atc = memory.state.atc + 1;
  memory.change({ atc });
  session.atc = atc;
  session.initiated = true;
  return profile.mode === 'tap' ? tapAnswer(chip) : { sw: SW.ok, data: processingOptions(chip) };
}

function processingOptions({ profile }: ChipContext): Buffer {
  const aip = fromHex(profile.aip);
  const afl = fileLocator(profile.files);
  if (profile.gpoFormat === 1) return encodeTlv([tlv('80', Buffer.concat([aip, afl]))]);
  return encodeTlv([tlv('77', [tlv('82', aip), tlv('94', afl)])]);
}

/** A tap decides at once: the cryptogram comes with the processing options (qVSDC). */
function tapAnswer(chip: ChipContext): ResponseApdu {
  const { profile, memory } = chip;
  const type = decideFirst(profile.risk, memory.state, 'ARQC');
  const { cryptogram, iad } = makeCryptogram(chip, type, undefined);
  const nodes = [
    tlv('82', fromHex(profile.aip)),
    tlv('94', fileLocator(profile.files)),
    tlv('9F36', transactionAtc(chip)),
    tlv('9F26', cryptogram),
    tlv('9F27', Buffer.from([CID[type]])),
    tlv('9F10', iad),
    tlv('9F6C', transactionQualifiers(chip)),
    ...profile.tapObjects,
  ];
  chip.session.first = { type, cryptogram };
  return { sw: SW.ok, data: encodeTlv([tlv('77', nodes)]) };
}

/** Tag 9F6C: the cardholder verification that the card picks out of what the reader offers in tag 9F66 (VCPS). */
function transactionQualifiers({ session, profile }: ChipContext): Buffer {
  const [offered = 0, wanted = 0, more = 0] = session.terminalValues.get('9F66') ?? NO_DATA;
  // The phone has verified its owner at any amount; it reports this if the reader supports it.
  if (profile.deviceVerifies && (more & 0x40) !== 0) return Buffer.from([0x00, 0x80]);
  const cvmRequired = (wanted & 0x40) !== 0;
  if (!cvmRequired) return Buffer.from([0x00, 0x00]);
  if ((offered & 0x04) !== 0) return Buffer.from([0x80, 0x00]);
  return Buffer.from([(offered & 0x02) !== 0 ? 0x40 : 0x00, 0x00]);
}

/** GENERATE AC, the first and the second of a transaction (EMV Book 3 §6.5.5). */
export function generateAc(chip: ChipContext, command: CommandApdu): ResponseApdu {
  const { session, profile } = chip;
  const requested = REQUESTS[command.p1 >>> 6];
  if (!session.initiated || !GENERATES_AC.has(profile.mode)) return refuse(SW.conditionsNotSatisfied);
  if (requested === undefined || (command.p1 & OTHER_P1_BITS) !== 0 || command.p2 !== 0)
    return refuse(SW.wrongParameters);
  const signed = (command.p1 & CDA_REQUESTED) !== 0;
  if (signed && profile.oda !== 'cda') return refuse(SW.wrongParameters);
  if (session.first === undefined) return firstGenerateAc(chip, requested, command.data, signed);
  if (session.first.type !== 'ARQC' || session.second !== undefined) return refuse(SW.conditionsNotSatisfied);
  return secondGenerateAc(chip, requested, command.data, signed);
}

function firstGenerateAc(
  chip: ChipContext,
  requested: CryptogramType,
  data: Uint8Array,
  signed: boolean,
): ResponseApdu {
  if (!takeValues(chip, chip.profile.cdol1, data)) return refuse(SW.wrongLength);
  const type = decideFirst(chip.profile.risk, chip.memory.state, requested);
  const { cryptogram, iad } = makeCryptogram(chip, type, undefined);
  chip.session.first = { type, cryptogram };
  return { sw: SW.ok, data: cryptogramAnswer(chip, type, cryptogram, iad, signed) };
}

function secondGenerateAc(
  chip: ChipContext,
  requested: CryptogramType,
  data: Uint8Array,
  signed: boolean,
): ResponseApdu {
  const { session, profile, memory } = chip;
  if (!takeValues(chip, profile.cdol2, data)) return refuse(SW.wrongLength);
  if (requested === 'ARQC') return refuse(SW.wrongParameters);
  const unableToGoOnline = UNABLE_TO_GO_ONLINE.has(responseCodeText(chip));
  const issuerData = session.terminalValues.get('91');
  if (issuerData?.some((byte) => byte !== 0)) authenticateIssuer(chip, issuerData);
  const type = decideSecond(profile.risk, memory.state, {
    requested,
    unableToGoOnline,
    issuerApproved: session.issuerApproved,
  });
  session.second = type;
  if (session.issuerAuthentication === 'successful') memory.change({ lastOnlineAtc: session.atc });
  const { cryptogram, iad } = makeCryptogram(chip, session.first?.type ?? 'ARQC', type, unableToGoOnline);
  return { sw: SW.ok, data: cryptogramAnswer(chip, type, cryptogram, iad, signed) };
}

function responseCodeText({ session }: ChipContext): string {
  return Buffer.from(session.terminalValues.get('8A') ?? NO_DATA).toString('latin1');
}

/** EXTERNAL AUTHENTICATE (EMV Book 3 §6.5.4): one try a transaction, between the two GENERATE AC. */
export function externalAuthenticate(chip: ChipContext, command: CommandApdu): ResponseApdu {
  const { session } = chip;
  if (command.p1 !== 0 || command.p2 !== 0) return refuse(SW.wrongParameters);
  if (command.data.length < 8 || command.data.length > 16) return refuse(SW.wrongLength);
  if (session.first?.type !== 'ARQC' || session.second !== undefined)
    return refuse(SW.conditionsNotSatisfied);
  if (session.issuerAuthentication !== 'not-performed') return refuse(SW.conditionsNotSatisfied);
  return refuse(authenticateIssuer(chip, command.data) ? SW.ok : SW.authenticationFailed);
}

function authenticateIssuer(chip: ChipContext, issuerData: Uint8Array): boolean {
  const { session, profile, memory, keys } = chip;
  const sessionKey = cryptogramSessionKey(keys, transactionAtc(chip));
  const decision = cryptogramScheme(profile.cryptogramVersion).verifyIssuer(
    sessionKey,
    session.first?.cryptogram ?? NO_DATA,
    issuerData,
    session.terminalValues.get('8A'),
  );
  wipe(sessionKey);
  session.issuerAuthentication = decision ? 'successful' : 'failed';
  session.issuerApproved = decision?.approved ?? false;
  if (decision?.blockApplication) memory.change({ applicationBlocked: true });
  return decision !== undefined;
}

function makeCryptogram(
  chip: ChipContext,
  first: CryptogramType,
  second: CryptogramType | undefined,
  unableToGoOnline = false,
): { readonly cryptogram: Buffer; readonly iad: Buffer } {
  const { session, profile, memory, keys } = chip;
  const { state } = memory;
  const { iad, covered } = cryptogramScheme(profile.cryptogramVersion).issuerData({
    firstCryptogram: first,
    secondCryptogram: second,
    offlinePin: session.offlinePin,
    pinTryCounter: state.pinTryCounter,
    issuerAuthentication: session.issuerAuthentication,
    unableToGoOnline,
    lastOnlineNotCompleted: state.lastOnlineAtc !== 0 && state.lastOnlineAtc < state.atc - 1,
    offlineLimitExceeded: offlineLimitExceeded(profile.risk, state),
    scriptCommands: session.scriptCommands,
    scriptFailed: session.scriptFailed,
  });
  const values = new Map(session.terminalValues);
  values.set('82', fromHex(profile.aip));
  values.set('9F36', transactionAtc(chip));
  const sessionKey = cryptogramSessionKey(keys, transactionAtc(chip));
  const cryptogram = applicationCryptogram(sessionKey, values, covered);
  wipe(sessionKey);
  return { cryptogram, iad };
}

function cryptogramAnswer(
  chip: ChipContext,
  type: CryptogramType,
  cryptogram: Buffer,
  iad: Buffer,
  signed: boolean,
): Buffer {
  const cid = Buffer.from([CID[type]]);
  const atc = transactionAtc(chip);
  // A refusal is never signed (EMV Book 2 §6.6.1).
  if (signed && type !== 'AAC') {
    const [head, issuerData] = [[tlv('9F27', cid), tlv('9F36', atc)], tlv('9F10', iad)];
    const signature = combinedSignature(chip, { cid, cryptogram, answer: [...head, issuerData] });
    return encodeTlv([tlv('77', [...head, tlv('9F4B', signature), issuerData])]);
  }
  if (chip.profile.gpoFormat === 1) return encodeTlv([tlv('80', Buffer.concat([cid, atc, cryptogram, iad]))]);
  return encodeTlv([
    tlv('77', [tlv('9F27', cid), tlv('9F36', atc), tlv('9F26', cryptogram), tlv('9F10', iad)]),
  ]);
}
