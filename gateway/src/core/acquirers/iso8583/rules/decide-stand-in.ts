import { TVR } from '@tillbridge/wire/emv/bit-fields.js';
import { hasBit } from '@tillbridge/wire/emv/bits.js';
import { cryptogramType } from '@tillbridge/wire/emv/cid.js';
import { decodeTlv, findTlv, TlvError } from '@tillbridge/wire/emv/tlv.js';
import { detectBrand } from '@tillbridge/wire/payment/brands.js';
import { isExpired } from '@tillbridge/wire/payment/expiry.js';
import type { AcquirerCard, AcquirerMoneyRequest, AcquirerPointOfSale } from '../../acquirer.js';
import { approves, type ExchangeRecord } from './exchange-record.js';
import type { RequestValues } from './exchange-request.js';
import type { Operation } from './mapping.js';

/** The most that is approved in a currency, in minor units. */
export interface StandInLimit {
  readonly paymentMinor: number;
  /** All that a card gets on a day. */
  readonly cardDayMinor: number;
  /** All that all cards get on a day. */
  readonly dayMinor: number;
}

/** What the gateway may approve by itself while no host of an acquirer can be reached. */
export interface StandInRule {
  /** By currency. No other currency is approved. */
  readonly limits: Readonly<Record<string, StandInLimit>>;
  /** Payments of a card on a day at most. */
  readonly cardDayCount: number;
  /** Payments of all cards on a day at most. */
  readonly dayCount: number;
  /** Those read by their chip, those read by a terminal, or all. */
  readonly cards: 'chip' | 'present' | 'all';
  /** Absent: every brand. */
  readonly brands?: readonly string[];
  /** First digits of card numbers that are never approved. */
  readonly blockedBins?: readonly string[];
}

/** What a card, or all of them, have got on a day. */
export interface StandInDay {
  /** `yyyyMMdd` in UTC. */
  readonly day: string;
  readonly count: number;
  /** Minor units by currency. */
  readonly sums: Readonly<Record<string, number>>;
}

/** What is known before the gateway decides. */
export interface StandInFacts {
  readonly nowMs: number;
  /** What the card has got. */
  readonly card?: StandInDay | undefined;
  /** What all cards have got. */
  readonly all?: StandInDay | undefined;
  /** Earlier exchanges of the card, the newest first. */
  readonly history: readonly Pick<ExchangeRecord, 'answer' | 'createdAtMs'>[];
}

/** Why the gateway does not approve by itself. */
export type StandInRefusal =
  | 'no-card'
  | 'money-transfer'
  | 'cash-back'
  | 'merchant-category'
  | 'deferred'
  | 'currency'
  | 'amount'
  | 'brand'
  | 'blocked'
  | 'expired'
  | 'online-pin'
  | 'entry-mode'
  | 'chip-data'
  | 'cryptogram'
  | 'verification-results'
  | 'service-code'
  | 'declined-before'
  | 'card-limit'
  | 'acquirer-limit';

/** Counts with the payment, or why it is not approved. */
type StandInVerdict =
  | { readonly approved: true; readonly card: StandInDay; readonly all: StandInDay }
  | { readonly approved: false; readonly because: StandInRefusal };

/** How long a card is not approved that the host has declined, in milliseconds. */
export const DECLINED_MS = 24 * 3_600_000;
/** Exchanges of a card that are looked at. */
export const HISTORY_LENGTH = 20;

const CHIP: ReadonlySet<string> = new Set(['ICC', 'NFC_ICC']);
const MAGSTRIPE: ReadonlySet<string> = new Set(['MAGSTRIPE', 'NFC_MAGSTRIPE']);

/** Merchants whose sales the schemes allow no floor limit: cash and what is like it, money transfer, securities, gambling. */
const ALWAYS_ONLINE: ReadonlySet<string> = new Set([
  ...['4829', '6010', '6011', '6012', '6050', '6051', '6211', '6538', '6540'],
  ...['7800', '7801', '7802', '7995', '9406'],
]);

/** Declines that say nothing of the card: of the message, the merchant, or a system that does not work. */
const NOT_OF_THE_CARD: ReadonlySet<string | undefined> = new Set([
  ...['03', '06', '12', '13', '25', '30', '58', '68', '91', '92', '94', '96'],
  undefined,
]);
/** Declines after which a card is never approved until the host has approved it again: no such card, lost, stolen, blocked. */
const FOR_GOOD: ReadonlySet<string | undefined> = new Set([
  ...['04', '07', '14', '15', '33', '34', '36', '38', '41', '43', '54', '56', '57', '59', '62', '75'],
]);

/**
 * Findings of the terminal that a host would not pass over (EMV Book 3 Annex C5), as terminal action codes have them when a terminal cannot go
 * online. Floor limits are those of the rule, and our own drivers force terminals online.
 */
const REFUSED_FINDINGS = [
  TVR.sdaFailed,
  TVR.iccDataMissing,
  TVR.exceptionFile,
  TVR.ddaFailed,
  TVR.cdaFailed,
  TVR.xdaFailed,
  TVR.expiredApplication,
  TVR.applicationNotYetEffective,
  TVR.serviceNotAllowed,
  TVR.cardholderVerificationFailed,
  TVR.pinTryLimitExceeded,
  TVR.pinPadNotWorking,
  TVR.pinNotEntered,
  TVR.biometricTryLimitExceeded,
  TVR.upperConsecutiveOfflineLimitExceeded,
  TVR.issuerAuthenticationFailed,
  TVR.relayResistanceThresholdExceeded,
  TVR.relayResistanceTimeLimitsExceeded,
];

/** The advice of a stand-in to its host; undefined for what the gateway never approves by itself. */
export function standInOperation(operation: Operation): 'sale advice' | 'authorization advice' | undefined {
  if (operation === 'sale') return 'sale advice';
  return operation === 'authorization' ? 'authorization advice' : undefined;
}

/**
 * Whether the rule lets the gateway approve a payment by itself, and what card and acquirer have got with it (pure). A PIN is the issuer's to
 * check, a deferred authorization waits for its issuer, and what card, terminal or host have found wrong stays so.
 */
export function decideStandIn(
  rule: StandInRule,
  request: AcquirerMoneyRequest,
  facts: StandInFacts,
): StandInVerdict {
  const { instrument, amount } = request;
  if (instrument?.kind !== 'card') return refused('no-card');
  const because =
    refusalOfPayment(rule, request) ??
    refusalOfCard(rule, instrument, facts.nowMs) ??
    refusalOfReading(rule, instrument, request.pos) ??
    (isDeclinedBefore(facts) ? 'declined-before' : undefined);
  if (because) return refused(because);
  const limit = limitOf(rule, amount.currency);
  const day = dayOf(facts.nowMs);
  const [card, all] = [facts.card, facts.all].map((before) => counted(before, day, amount));
  if (!limit || !card || !all) return refused('currency');
  const sumOf = ({ sums }: StandInDay) => sums[amount.currency] ?? 0;
  if (card.count > rule.cardDayCount || sumOf(card) > limit.cardDayMinor) return refused('card-limit');
  if (all.count > rule.dayCount || sumOf(all) > limit.dayMinor) return refused('acquirer-limit');
  return { approved: true, card, all };
}

function refused(because: StandInRefusal): StandInVerdict {
  return { approved: false, because };
}

function limitOf({ limits }: StandInRule, currency: string): StandInLimit | undefined {
  return Object.hasOwn(limits, currency) ? limits[currency] : undefined;
}

function refusalOfPayment(
  rule: StandInRule,
  { amount, cashBack, deferred, details = {}, merchant }: AcquirerMoneyRequest,
): StandInRefusal | undefined {
  if (deferred) return 'deferred';
  if (cashBack) return 'cash-back';
  if (Object.keys(details).some((name) => name.startsWith('recipient.'))) return 'money-transfer';
  if (ALWAYS_ONLINE.has(details['merchant.mcc'] ?? merchant?.category ?? '')) return 'merchant-category';
  const limit = limitOf(rule, amount.currency);
  if (!limit) return 'currency';
  return amount.minor > limit.paymentMinor ? 'amount' : undefined;
}

function refusalOfCard(
  { brands, blockedBins = [] }: StandInRule,
  card: AcquirerCard,
  nowMs: number,
): StandInRefusal | undefined {
  if (brands && !brands.includes(detectBrand(card.pan)?.key ?? '')) return 'brand';
  if (blockedBins.some((bin) => card.pan.startsWith(bin))) return 'blocked';
  return isExpired(card, nowMs) ? 'expired' : undefined;
}

function refusalOfReading(
  { cards }: StandInRule,
  { track2 }: AcquirerCard,
  pos: AcquirerPointOfSale | undefined,
): StandInRefusal | undefined {
  if (pos?.pin) return 'online-pin';
  const { entryMode = '' } = pos ?? {};
  if (CHIP.has(entryMode)) return refusalOfChip(pos);
  if (cards === 'chip') return 'entry-mode';
  // Without its chip a chip card is read where it is worn out, or a copy.
  if (entryMode === 'MAGSTRIPE_AS_FALLBACK') return 'entry-mode';
  if (MAGSTRIPE.has(entryMode)) return allowsOffline(track2) ? undefined : 'service-code';
  return cards === 'present' ? 'entry-mode' : undefined;
}

function refusalOfChip({
  iccData,
  cryptogram,
}: Partial<AcquirerPointOfSale> = {}): StandInRefusal | undefined {
  if (!iccData || iccData.length === 0) return 'chip-data';
  if (cryptogram === 'invalid') return 'cryptogram';
  try {
    const nodes = decodeTlv(iccData);
    const [cid] = findTlv(nodes, '9F27') ?? [];
    if (!findTlv(nodes, '9F26')) return 'cryptogram';
    // An AAC: the card has declined.
    if (cid !== undefined && cryptogramType(cid) !== 'ARQC') return 'cryptogram';
    const results = findTlv(nodes, '95');
    const isFound = results === undefined || REFUSED_FINDINGS.some((finding) => hasBit(results, finding));
    return isFound ? 'verification-results' : undefined;
  } catch (error) {
    if (error instanceof TlvError) return 'chip-data';
    throw error;
  }
}

/**
 * Whether the service code of track 2 (ISO/IEC 7813) lets a magstripe be approved without its issuer: no chip, no authorization by the issuer
 * alone, goods and services, and no PIN.
 */
function allowsOffline(track2: string | undefined): boolean {
  const [, interchange = '', authorization = '', services = ''] =
    /^\d{8,19}[D=]\d{4}(\d)(\d)(\d)/i.exec(track2 ?? '') ?? [];
  return /[15]/.test(interchange) && authorization === '0' && /[1267]/.test(services);
}

/** Whether an earlier answer of the host rules the card out. */
function isDeclinedBefore({ history, nowMs }: StandInFacts): boolean {
  let isApprovedSince = false;
  for (const { answer, createdAtMs } of history) {
    if (!answer || NOT_OF_THE_CARD.has(answer.responseCode)) continue;
    if (approves(answer)) isApprovedSince = true;
    else if (nowMs - createdAtMs < DECLINED_MS) return true;
    else if (!isApprovedSince && FOR_GOOD.has(answer.responseCode)) return true;
  }
  return false;
}

function counted(
  before: StandInDay | undefined,
  day: string,
  { minor, currency }: AcquirerMoneyRequest['amount'],
): StandInDay {
  // A clock that was set back begins no day anew.
  const today = before && before.day >= day ? before : { day, count: 0, sums: {} };
  const sum = (today.sums[currency] ?? 0) + minor;
  return { day: today.day, count: today.count + 1, sums: { ...today.sums, [currency]: sum } };
}

/** `yyyyMMdd` of a time in UTC. */
function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');
}

/** An advice that may be stored until a host can be reached (pure): without the data that PCI DSS forbids to store after authorization. */
export function storableAdvice({
  track2: _,
  cvv: __,
  pinBlock: ___,
  ...advice
}: RequestValues): RequestValues {
  return advice;
}
