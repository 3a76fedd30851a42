import { answerTo, type ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';

/** What the host has of one message that moves money. */
interface Taken {
  readonly minor: number;
  readonly reversedMinor: number;
  /** Its settlement day, and that of its reversal. */
  readonly day: string;
  readonly reversedDay?: string;
  readonly answer: ExchangeMessage;
}

/** The ledger of an acquirer's host, for one exchange. */
export interface HostState {
  /** By number and time of the message. */
  readonly taken: Readonly<Record<string, Taken>>;
  /** Messages whose reversal it has acknowledged. */
  readonly reversed: readonly string[];
  /** Reversals that it has seen. */
  readonly seen: readonly string[];
}

/** A host that has seen nothing. */
export const NEW_HOST: HostState = { taken: {}, reversed: [], seen: [] };

/** What an issuer may say, and to what part of the amount. */
export type Verdict = 'approves' | 'approves a part' | 'declines';

/** Settlement day of all that the host books, where none ends. */
export const DAY = '20261120';
/** Of a whole. */
const PART = 0.6;

/** Number and time of a message, as one text. */
export function numberOf({ stan, at }: Pick<ExchangeMessage, 'stan' | 'at'>): string {
  return `${stan}/${at}`;
}

/** What the host holds of the exchange, in minor units. */
export function standsAtHost({ taken }: HostState): number {
  return Object.values(taken).reduce((sum, { minor, reversedMinor }) => sum + minor - reversedMinor, 0);
}

/** What may become of a message that comes to the host. A request that it has seen gets its stored answer. */
export function verdictsOn(host: HostState, message: ExchangeMessage): readonly Verdict[] {
  if (message.kind === 'reversal' || host.taken[numberOf(message)]) return ['approves'];
  // What has happened already is booked.
  if (message.isAdvice) return ['approves', 'declines'];
  return ['approves', 'approves a part', 'declines'];
}

/** Whether the host may have forgotten that it has acknowledged the reversal of the message. */
export function mayHaveForgotten(host: HostState, message: ExchangeMessage): boolean {
  const number = numberOf(message);
  return message.kind !== 'reversal' && !host.taken[number] && host.reversed.includes(number);
}

/** The host takes a message: its ledger then, and its answer. `forgets`: it carries out what it has acknowledged the reversal of. `day`: its settlement day. */
export function atHost(
  host: HostState,
  message: ExchangeMessage,
  verdict: Verdict,
  forgets: boolean,
  day: string = DAY,
): { readonly host: HostState; readonly answer: ExchangeMessage } {
  if (message.kind === 'reversal') return reversedAt(host, message, day);
  const number = numberOf(message);
  const known = host.taken[number];
  if (known) return { host, answer: known.answer };
  const requested = message.amount?.minor ?? 0;
  const refused = verdict === 'declines' || (host.reversed.includes(number) && !forgets);
  const minor = refused ? 0 : verdict === 'approves a part' ? requested * PART : requested;
  const currency = message.amount?.currency ?? '';
  const answer = answerTo(message, {
    responseCode: refused ? '05' : minor < requested ? '10' : '00',
    ...(!refused && { amount: { minor, currency }, settlementDate: day }),
  });
  const taken = { ...host.taken, [number]: { minor, reversedMinor: 0, day, answer } };
  return { host: { ...host, taken }, answer };
}

function reversedAt(
  host: HostState,
  message: ExchangeMessage,
  day: string,
): { readonly host: HostState; readonly answer: ExchangeMessage } {
  const original = message.original ? numberOf(message.original) : '';
  const known = host.taken[original];
  const stands = known ? known.minor - known.reversedMinor : 0;
  const minor = Math.max(0, stands - (message.remaining?.minor ?? 0));
  const currency = message.amount?.currency ?? '';
  const answer = answerTo(message, {
    ...{ responseCode: '00', amount: { minor, currency }, settlementDate: day },
    ...(known && { captureDate: known.day }),
  });
  const reversed = host.reversed.includes(original) ? host.reversed : [...host.reversed, original];
  const number = numberOf(message);
  const seen = host.seen.includes(number) ? host.seen : [...host.seen, number];
  const taken = known
    ? {
        ...host.taken,
        [original]: {
          ...known,
          reversedMinor: known.reversedMinor + minor,
          ...(minor > 0 && { reversedDay: day }),
        },
      }
    : host.taken;
  return { host: { taken, reversed, seen }, answer };
}
