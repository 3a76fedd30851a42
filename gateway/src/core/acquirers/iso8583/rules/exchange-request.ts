import { toHex } from '@tillbridge/wire/bytes.js';
import { ACCOUNT_TAG_NAMES } from '@tillbridge/wire/emv/account-tags.js';
import { decodeTlv, encodeTlv } from '@tillbridge/wire/emv/tlv.js';
import type {
  ExchangeMessage,
  ExchangeTransaction,
} from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { present } from '@tillbridge/wire/present.js';
import type {
  AcquirerCard,
  AcquirerMoneyRequest,
  AcquirerPointOfSale,
  AcquirerToken,
} from '../../acquirer.js';
import { ascii } from './ascii.js';
import type { StoredMessage } from './exchange-record.js';
import { ENTRY_MODES, OPERATIONS, type Operation, REASONS } from './mapping.js';
import { requestDetails, standingText } from './request-details.js';

/** Characters of a terminal's number in a message (field 41), and what may stand there: printable ASCII without blanks. */
const TERMINAL_ID_LENGTH = 8;
const TERMINAL_ID = /^[\x21-\x7e]{1,8}$/;
/** Names and cities in field 43, cut to what every dialect holds. */
const NAME_LENGTH = 25;
const CITY_LENGTH = 13;
/** Other texts that people wrote. */
const TEXT_LENGTH = 40;

/** Values of a message that is to be sent; number and time are the link's. */
export type RequestValues = Omit<ExchangeMessage, 'stan' | 'at' | 'rrn' | 'isResponse' | 'isRepeat'>;

/** A follow-up's data of the message that it follows. */
interface FollowedExchange {
  readonly request: StoredMessage;
  /** Its approval code. */
  readonly approvalCode?: string;
  /** What its answer has in fields that the dialect repeats. */
  readonly hostData?: Readonly<Record<string, string>>;
  /** Its card, where the acquirer's follow-ups name it. */
  readonly card?: Pick<ExchangeMessage, 'pan' | 'expiry'>;
}

/** What an increment adds to its authorization: the merchant initiates it, with a stored card. */
const INCREMENT = { entryMode: 'stored', standing: 'REPEATED,UNSCHEDULED,MIT,INCREMENTAL_AUTH' } as const;

/**
 * The message to a host for a request of the gateway (pure).
 * @param followed the exchange that a capture or refund follows
 * @param acquirerId number of the acquiring institution
 * @throws TlvError the card's data are none
 */
export function exchangeRequest(
  request: AcquirerMoneyRequest,
  operation: Operation,
  followed: FollowedExchange | undefined,
  acquirerId: string | undefined,
): RequestValues {
  const { follows, ...known } = OPERATIONS[operation];
  const type = { ...known, transaction: transactionOf(known.transaction, request, followed?.request) };
  const { amount, approvalCode, partialAllowed } = request;
  const reasonCode = type.isAdvice ? reasonOf(request) : undefined;
  const values = { ...type, amount, ...present({ approvalCode, acquirerId, reasonCode }) };
  if (follows && followed) {
    const followUp = { ...followed.card, ...values, ...followUpOf(followed) };
    return operation === 'increment' ? { ...followUp, ...cardOf(request), ...INCREMENT } : followUp;
  }
  return {
    ...values,
    ...merchantOf(request),
    ...cardOf(request),
    ...pointOfSaleOf(request),
    ...(partialAllowed && !type.isAdvice && { partialAllowed }),
    ...additionalAmountsOf(request),
    ...cardholderOf(request),
    ...requestDetails(request),
  };
}

/** The account of an additional amount: not specified. */
const ANY_ACCOUNT = '00';
/** Amount types of field 54. That of a tip is not in ISO 8583 itself: hosts that know it use this one. */
const AMOUNT_TYPES = { cashBack: '40', tip: '44' } as const;

/** Tip and cash back in field 54, each a part of the amount. */
function additionalAmountsOf({ tip, cashBack }: AcquirerMoneyRequest): Partial<RequestValues> {
  const parts = [
    cashBack && { account: ANY_ACCOUNT, type: AMOUNT_TYPES.cashBack, amount: cashBack },
    tip && { account: ANY_ACCOUNT, type: AMOUNT_TYPES.tip, amount: tip },
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? {} : { additionalAmounts: parts };
}

/** The processing code of a purchase that funds an account or has cash back, and of its follow-ups (transactionProcessingCode). */
function transactionOf(
  usual: ExchangeTransaction,
  { details, cashBack }: AcquirerMoneyRequest,
  followed: StoredMessage | undefined,
): ExchangeTransaction {
  if (usual === 'purchase' && cashBack) return 'cash-back';
  const isFunding = details?.transactionProcessingCode === 'FUNDING' || followed?.transaction === 'funding';
  return isFunding && usual === 'purchase' ? 'funding' : usual;
}

/** Who made the decision that an advice reports. */
function reasonOf({ pos }: AcquirerMoneyRequest): string {
  return pos?.iccData ? REASONS.card : REASONS.terminal;
}

function followUpOf({ request: original, approvalCode, hostData }: FollowedExchange): Partial<RequestValues> {
  const { kind, isAdvice, stan, at, amount } = original;
  const { terminalId, merchantId, merchantCategory, acceptor, entryMode, timeZone } = original;
  return {
    ...present({
      terminalId,
      merchantId,
      merchantCategory,
      acceptor,
      entryMode,
      timeZone,
      approvalCode,
      hostData,
    }),
    original: { type: { kind, isAdvice }, stan, at, ...present({ amount }) },
  };
}

/** Who is paid, as the route has it and as the request overrides it on the statement. */
function merchantOf({ merchant, pos, details = {} }: AcquirerMoneyRequest): Partial<RequestValues> {
  const terminalId = pos ? terminalNumber(pos.terminalId) : merchant?.terminalId;
  if (!merchant) return present({ terminalId });
  const { 'merchant.mcc': mcc = '', 'merchant.country': country = merchant.country } = details;
  const name = details.descriptor ?? details['merchant.name'] ?? merchant.name;
  const city = details['merchant.city'] ?? merchant.city;
  return {
    ...present({ terminalId }),
    merchantId: merchant.merchantId,
    merchantCategory: /^\d{4}$/.test(mcc) ? mcc : merchant.category,
    acceptor: { name: ascii(name, NAME_LENGTH), city: ascii(city, CITY_LENGTH), country },
    ...present({ timeZone: merchant.timeZone }),
  };
}

/** A terminal's number in messages: its own where it fits, else one that is made of it and the same each time. */
export function terminalNumber(terminalId: string): string {
  if (TERMINAL_ID.test(terminalId)) return terminalId;
  // FNV-1a: no secret, and the same on every node.
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(terminalId)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).toUpperCase().padStart(TERMINAL_ID_LENGTH, '0');
}

function cardOf({ instrument, pos, kind }: AcquirerMoneyRequest): Partial<RequestValues> {
  if (instrument?.kind === 'token') return tokenOf(instrument);
  if (instrument?.kind !== 'card') return {};
  const { pan, cvv, proof, track2 } = instrument;
  const isTrackRead = pos !== undefined && pos.entryMode !== 'MANUAL';
  return {
    pan,
    expiry: expiryOf(instrument),
    ...present({
      track2: isTrackRead && track2 !== undefined ? trackText(track2) : undefined,
      cvv: kind === 'authorization' ? cvv : undefined,
      eci: proof?.eci,
      authenticationValue: proof?.cryptogram,
    }),
  };
}

function tokenOf({
  number,
  expiryYear,
  expiryMonth,
  cryptogram,
  dtvc,
}: AcquirerToken): Partial<RequestValues> {
  const expiry =
    expiryYear === undefined || expiryMonth === undefined ? undefined : expiryOf({ expiryYear, expiryMonth });
  return { pan: number, ...present({ expiry, authenticationValue: cryptogram, cvv: dtvc }) };
}

/** `yyMM`. */
function expiryOf({ expiryYear, expiryMonth }: Pick<AcquirerCard, 'expiryYear' | 'expiryMonth'>): string {
  return `${expiryYear.slice(-2)}${expiryMonth}`;
}

/** Track 2 with `=` as separator, without filling. */
function trackText(track2: string): string {
  return track2.toUpperCase().replace(/F+$/, '').replace('D', '=');
}

function pointOfSaleOf({ pos, standing, instrument }: AcquirerMoneyRequest): Partial<RequestValues> {
  if (!pos) {
    if (instrument === undefined) return {};
    return { entryMode: standing?.mode === 'REPEATED' ? 'stored' : 'e-commerce' };
  }
  const { entryMode, panSequenceNumber, pin } = pos;
  return present({
    entryMode: ENTRY_MODES[entryMode] ?? 'keyed',
    cardSequence: panSequenceNumber?.padStart(3, '0'),
    pinBlock: pin && toHex(pin.pinBlock),
    iccData: iccDataOf(pos),
  });
}

/** Field 55: the card's data without what stands in fields of its own. */
function iccDataOf({ iccData }: AcquirerPointOfSale): string | undefined {
  if (!iccData || iccData.length === 0) return undefined;
  return toHex(encodeTlv(decodeTlv(iccData).filter(({ tag }) => !ACCOUNT_TAG_NAMES.has(tag))));
}

/** Who pays, and how the issuer can be sure of it. */
function cardholderOf({
  billing,
  authentication,
  standing,
  kind,
}: AcquirerMoneyRequest): Partial<RequestValues> {
  if (kind !== 'authorization') return {};
  return present({
    billingStreet: billing?.street === undefined ? undefined : ascii(billing.street, TEXT_LENGTH),
    billingPostcode: billing?.postcode === undefined ? undefined : ascii(billing.postcode, TEXT_LENGTH),
    eci: authentication?.eci,
    authenticationValue: authentication?.verificationId,
    dsTransactionId: authentication?.dsTransactionId,
    threeDSVersion: authentication?.version,
    exemption: authentication?.exemptionFlag,
    agreementId: standing?.initialTransactionId,
    standing: standing && standingText(standing),
  });
}
