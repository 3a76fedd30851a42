import { type Format, MESSAGE_VERSIONS } from './field.js';
import { digits, form, listOf, oneOf, url } from './formats.js';

/** Most card ranges in one answer. */
const MAX_CARD_RANGES = 10_000;

/** Card numbers that take part, and how (table A.6). */
export interface CardRange {
  readonly startRange: string;
  readonly endRange: string;
  readonly acsStartProtocolVersion: string;
  readonly acsEndProtocolVersion: string;
  readonly actionInd?: string;
  /** Absent: there is no method call for these cards. */
  readonly threeDSMethodURL?: string;
  /** What the ACS supports, from 2.2.0 on: `03` is decoupled authentication. */
  readonly acsInfoInd?: readonly string[];
}

const PAN = digits(13, 19);
const VERSION = form('a version', /^\d\.\d\.\d$/);
const OPTIONAL: readonly (readonly [string, Format<unknown>])[] = [
  ['actionInd', oneOf('A', 'D', 'M')],
  ['threeDSMethodURL', url(256)],
  [
    'acsInfoInd',
    listOf(99, 'code', (value): value is string => typeof value === 'string' && /^\d\d$/.test(value)),
  ],
];
const FACTS = { version: MESSAGE_VERSIONS[1] } as const;

const isCardRange = (value: unknown): value is CardRange => {
  if (typeof value !== 'object' || value === null) return false;
  const range = value as Record<string, unknown>;
  const { startRange, endRange, acsStartProtocolVersion, acsEndProtocolVersion } = range;
  return (
    PAN.fits(startRange, FACTS) &&
    PAN.fits(endRange, FACTS) &&
    startRange.length === endRange.length &&
    startRange <= endRange &&
    VERSION.fits(acsStartProtocolVersion, FACTS) &&
    VERSION.fits(acsEndProtocolVersion, FACTS) &&
    OPTIONAL.every(([name, format]) => range[name] === undefined || format.fits(range[name], FACTS))
  );
};

/** `cardRangeData`. */
export const CARD_RANGES = listOf(MAX_CARD_RANGES, 'card range', isCardRange);

/** The range that covers a card number; undefined when none does. */
export function findCardRange(ranges: readonly CardRange[], pan: string): CardRange | undefined {
  return ranges.find(
    ({ startRange, endRange }) => startRange.length === pan.length && startRange <= pan && pan <= endRange,
  );
}
