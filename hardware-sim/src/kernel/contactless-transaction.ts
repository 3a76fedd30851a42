import { TVR } from '@tillbridge/wire/emv/bit-fields.js';
import { type CryptogramType, cryptogramType } from '@tillbridge/wire/emv/cid.js';
import { CVM } from '@tillbridge/wire/emv/cvm.js';
import { encodeCvmResults } from '@tillbridge/wire/emv/cvm-results.js';
import type { Card } from '../cards/core/card.js';
import { contactlessCandidates, selectFinally } from './application-selection.js';
import { powerOn } from './card-reader.js';
import { type OpenTransaction, type StartInputs, terminalData } from './contact-transaction.js';
import { generateAc } from './generate-ac.js';
import { initiateApplication, readApplicationData } from './initiate-application.js';
import type { TransactionData } from './transaction-data.js';

/** Limits of the reader for a tap, minor units. */
interface TapLimits {
  /** From this amount on the reader requires cardholder verification. */
  readonly cvmLimitMinor: number;
}

/** A tap that has been read: the card is not needed any more. */
export interface TapTransaction extends OpenTransaction {
  readonly cryptogram: CryptogramType;
  /** `magstripe`: the card gave track data and no cryptogram; the issuer decides alone. */
  readonly mode: 'emv' | 'magstripe';
  /** What the card requires in tag 9F6C. */
  readonly verification: 'none' | 'online-pin' | 'signature';
}

/** Tag 9F66 byte 1: qVSDC, EMV by contacts, online PIN, signature; byte 2: online cryptogram, CVM (VCPS). */
const TTQ_SUPPORTED = 0x20 | 0x10 | 0x04 | 0x02;
const TTQ_ONLINE_REQUIRED = 0x80;
const TTQ_CVM_REQUIRED = 0x40;
/** Byte 3: the holder's own device may verify the holder. */
const TTQ_DEVICE_CVM = 0x40;
const CTQ_ONLINE_PIN = 0x80;
const CTQ_SIGNATURE = 0x40;
const MANDATORY_CRYPTOGRAM = ['9F26', '9F36', '9F10'] as const;
const MANDATORY_RECORDS = ['57'] as const;
/** Tag 9F34 of a tap that GENERATE AC ends: online PIN if supported, no verification (EMV Book 4 Annex A4). */
const ONLINE_PIN_RESULTS = { code: CVM.onlinePin, condition: 3, outcome: 'unknown' } as const;
const NO_CVM_RESULTS = { code: CVM.noCvm, condition: 0, outcome: 'successful' } as const;
/** Tag 82, byte 2: magstripe mode is supported (VCPS). */
const AIP_MAGSTRIPE_MODE = 0x80;
const ARQC_CID = 0x80;

/**
 * A whole tap: in EMV mode the card decides with the processing options (qVSDC), or on GENERATE AC (M/Chip). No offline data authentication, so
 * the reader always requests an online cryptogram.
 * @throws KernelError; CardCommunicationError when the card leaves the field
 */
export async function readTap(
  card: Card,
  inputs: StartInputs,
  limitsOf: (terminalAid: string) => TapLimits,
): Promise<TapTransaction> {
  await powerOn(card);
  const application = await selectFinally(card, await contactlessCandidates(card, inputs.aids));
  const data = terminalData(application, inputs);
  const cvm = inputs.transaction.amountMinor >= limitsOf(application.terminalAid).cvmLimitMinor;
  const wanted = TTQ_ONLINE_REQUIRED | (cvm ? TTQ_CVM_REQUIRED : 0);
  data.set('9F66', Buffer.from([TTQ_SUPPORTED, wanted, TTQ_DEVICE_CVM, 0]));
  await initiateApplication(card, application.pdol, data);
  const mode = magstripeOnly(data) ? 'magstripe' : 'emv';
  const limit = cvm ? 'at or above' : 'below';
  data.explain({
    topic: 'cvm',
    what: cvm ? 'cardholder verification required' : 'no cardholder verification required',
    reason: `the amount is ${limit} the CVM limit of the reader`,
  });
  data.explain({ topic: 'selection', what: `tap in ${mode} mode`, reason: 'as the AIP of the card states' });
  await readApplicationData(card, data, MANDATORY_RECORDS);
  const opened = { card, data, application, mode } as const;
  if (mode === 'emv' && data.get('9F26') === undefined)
    return { ...opened, ...(await askCryptogram(card, data, cvm)) };
  for (const tag of mode === 'emv' ? MANDATORY_CRYPTOGRAM : []) data.require(tag);
  const cryptogram = cryptogramType(data.get('9F27')?.[0] ?? ARQC_CID);
  const verification = verificationOf(data);
  data.explain({ topic: 'cryptogram', what: cryptogram, reason: 'given with the processing options' });
  data.explain({
    topic: 'cvm',
    what: verification,
    reason: 'the card transaction qualifiers (9F6C) ask for it',
  });
  return { ...opened, cryptogram, verification };
}

/** The card has left before the PIN entry: its cryptogram covers that one will follow. */
async function askCryptogram(
  card: Card,
  data: TransactionData,
  cvm: boolean,
): Promise<Pick<TapTransaction, 'cryptogram' | 'verification'>> {
  data.markTvr(TVR.offlineDataAuthenticationNotPerformed, 'taps are not authenticated offline');
  if (cvm) data.markTvr(TVR.onlinePinEntered, 'the amount is at or above the CVM limit of the reader');
  data.set('9F34', encodeCvmResults(cvm ? ONLINE_PIN_RESULTS : NO_CVM_RESULTS));
  const cryptogram = await generateAc(card, data, '8C', 'ARQC', 'card-misbehaves');
  return { cryptogram, verification: cvm ? 'online-pin' : 'none' };
}

/** AIP byte 2 bit 8 stands for magstripe mode; a card without a cryptogram in its answer can do nothing else. */
function magstripeOnly(data: TransactionData): boolean {
  return ((data.require('82')[1] ?? 0) & AIP_MAGSTRIPE_MODE) !== 0 && data.get('9F26') === undefined;
}

function verificationOf(data: TransactionData): TapTransaction['verification'] {
  const ctq = data.get('9F6C')?.[0] ?? 0;
  if ((ctq & CTQ_ONLINE_PIN) !== 0) return 'online-pin';
  return (ctq & CTQ_SIGNATURE) !== 0 ? 'signature' : 'none';
}
