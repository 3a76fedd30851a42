import { TerminalFormatError } from '../format-error.js';

/** How the card was read (PP_CARDTYPE, ABECS 2.12 §3.7.1). */
export type CardType = 'magstripe' | 'contact' | 'contactless-magstripe' | 'contactless';

const CARD_TYPES: Readonly<Record<string, CardType>> = {
  '00': 'magstripe',
  '03': 'contact',
  '05': 'contactless-magstripe',
  '06': 'contactless',
};

/** Reads PP_CARDTYPE. @throws TerminalFormatError */
export function parseCardType(text: string): CardType {
  const type = CARD_TYPES[text];
  if (!type) throw new TerminalFormatError('PP_CARDTYPE', 'must be 00, 03, 05 or 06');
  return type;
}

/** Writes PP_CARDTYPE. */
export function formatCardType(type: CardType): string {
  const entry = Object.entries(CARD_TYPES).find(([, value]) => value === type);
  return entry?.[0] ?? '';
}

/** How the last chip read ended, read when a magstripe is swiped (PP_ICCSTAT). */
export type IccStatus = 'ok' | 'fallback-allowed' | 'application-not-supported';

const ICC_STATUSES: readonly IccStatus[] = ['ok', 'fallback-allowed', 'application-not-supported'];

/** Reads PP_ICCSTAT. @throws TerminalFormatError */
export function parseIccStatus(text: string): IccStatus {
  const status = /^[0-2]$/.test(text) ? ICC_STATUSES[Number(text)] : undefined;
  if (!status) throw new TerminalFormatError('PP_ICCSTAT', 'must be 0, 1 or 2');
  return status;
}

/** Writes PP_ICCSTAT. */
export function formatIccStatus(status: IccStatus): string {
  return String(ICC_STATUSES.indexOf(status));
}

/** What CEX waited for (PP_EVENT, ABECS 2.12 §3.3.1). */
export const EVENTS = {
  okKey: '00',
  cancelKey: '13',
  swiped: '90',
  removed: '91',
  inserted: '92',
  /** Two minutes have passed, and the antenna was switched off. */
  noTap: '93',
  tapped: '94',
} as const;

/** Texts by which GCD requests digits, of a fixed table (SPE_MSGIDX, ABECS 2.12 §3.3.8). */
export const DIGIT_TEXTS = { phone: 0x0003, installments: 0x0033 } as const;
/** Most options of MNU, and characters of one (§3.3.13). */
export const MENU_LIMITS = { options: 20, characters: 24 } as const;

/** One AID table record that took part (PP_AIDTABINFO). */
interface AidTableInfo {
  /** Acquirer reference `01`-`99`, for SPE_ACQREF. */
  readonly acquirer: string;
  readonly record: string;
  readonly applicationType: string;
}

const AID_TABLE_ENTRY = 6;

/** Reads PP_AIDTABINFO: entries of 6 characters. @throws TerminalFormatError */
export function parseAidTableInfo(text: string): AidTableInfo[] {
  if (text.length === 0 || text.length % AID_TABLE_ENTRY !== 0) {
    throw new TerminalFormatError('PP_AIDTABINFO', 'must be one or more entries of 6 characters');
  }
  const entries: AidTableInfo[] = [];
  for (let at = 0; at < text.length; at += AID_TABLE_ENTRY) {
    entries.push({
      acquirer: text.slice(at, at + 2),
      record: text.slice(at + 2, at + 4),
      applicationType: text.slice(at + 4, at + AID_TABLE_ENTRY),
    });
  }
  return entries;
}

/** Writes PP_AIDTABINFO. */
export function formatAidTableInfo(entries: readonly AidTableInfo[]): string {
  return entries.map(({ acquirer, record, applicationType }) => acquirer + record + applicationType).join('');
}

/** What the first GENERATE AC and the cardholder verification gave (PP_GOXRES, ABECS 2.12 §3.7.3). */
export interface GoxResult {
  readonly decision: 'approved-offline' | 'declined' | 'online';
  readonly signature: boolean;
  readonly pin: 'none' | 'verified-offline' | 'captured-online';
  readonly verifiedOnDevice: boolean;
}

const GOX_DECISIONS: readonly GoxResult['decision'][] = ['approved-offline', 'declined', 'online'];
const GOX_PINS: readonly GoxResult['pin'][] = ['none', 'verified-offline', 'captured-online'];

/** Reads PP_GOXRES. @throws TerminalFormatError */
export function parseGoxResult(text: string): GoxResult {
  const match = /^([0-2])([01])([0-2])([01])\d\d$/.exec(text);
  const decision = GOX_DECISIONS[Number(match?.[1])];
  const pin = GOX_PINS[Number(match?.[3])];
  if (!match || !decision || !pin) {
    throw new TerminalFormatError(
      'PP_GOXRES',
      'must be 6 digits: decision 0-2, signature 0-1, PIN 0-2, device 0-1, 00',
    );
  }
  return { decision, signature: match[2] === '1', pin, verifiedOnDevice: match[4] === '1' };
}

/** Writes PP_GOXRES. */
export function formatGoxResult(result: GoxResult): string {
  const decision = GOX_DECISIONS.indexOf(result.decision);
  const pin = GOX_PINS.indexOf(result.pin);
  return `${decision}${result.signature ? 1 : 0}${pin}${result.verifiedOnDevice ? 1 : 0}00`;
}

/** Reads PP_FCXRES (ABECS 2.12 §3.7.4). @throws TerminalFormatError */
export function parseFcxResult(text: string): 'approved' | 'declined' {
  if (!/^[01]\d\d$/.test(text))
    throw new TerminalFormatError('PP_FCXRES', 'must be 3 digits beginning with 0 or 1');
  return text.startsWith('0') ? 'approved' : 'declined';
}

/** Writes PP_FCXRES. */
export function formatFcxResult(result: 'approved' | 'declined'): string {
  return result === 'approved' ? '000' : '100';
}

/** What became of the authorization, for the second GENERATE AC (SPE_FCXOPT, ABECS 2.12 §3.7.4). */
export type FcxOption = 'approved' | 'declined' | 'unable-to-go-online';

const FCX_OPTIONS: readonly FcxOption[] = ['approved', 'declined', 'unable-to-go-online'];

/** Reads SPE_FCXOPT. @throws TerminalFormatError */
export function parseFcxOption(text: string): FcxOption {
  const option = /^[0-2]\d{3}$/.test(text) ? FCX_OPTIONS[Number(text[0])] : undefined;
  if (!option) throw new TerminalFormatError('SPE_FCXOPT', 'must be 4 digits beginning with 0, 1 or 2');
  return option;
}

/** Writes SPE_FCXOPT. */
export function formatFcxOption(option: FcxOption): string {
  return `${FCX_OPTIONS.indexOf(option)}000`;
}
