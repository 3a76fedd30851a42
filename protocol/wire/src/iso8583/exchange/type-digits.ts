import { Iso8583Error } from '../iso8583-error.js';
import type { ExchangeKind, ExchangeType } from './exchange-message.js';

const CLASS_DIGITS: Readonly<Record<ExchangeKind, string>> = {
  authorization: '1',
  financial: '2',
  reversal: '4',
  reconciliation: '5',
  network: '8',
};
const KINDS: Readonly<Record<string, ExchangeKind | undefined>> = Object.fromEntries(
  Object.entries(CLASS_DIGITS).map(([kind, digit]) => [digit, kind as ExchangeKind]),
);

/** First digit of a version's network messages that come from neither acquirer nor issuer. */
const FROM_OTHER = '2';

/** The message type of a version of the standard: `0421` is the repeat of a reversal advice of 1987. */
export function mtiOf(version: string, { kind, isAdvice, isResponse, isRepeat }: ExchangeType): string {
  const task = (isAdvice ? 2 : 0) + (isResponse ? 1 : 0);
  const origin = (kind === 'network' && version === FROM_OTHER ? 4 : 0) + (isRepeat ? 1 : 0);
  return `${version}${CLASS_DIGITS[kind]}${task}${origin}`;
}

/** The meaning of a message type. @throws Iso8583Error badField: none that these parties exchange */
export function typeOf(version: string, mti: string): ExchangeType {
  const kind = KINDS[mti[1] ?? ''];
  const [task, origin] = [Number(mti[2]), Number(mti[3])];
  if (mti[0] !== version || kind === undefined || !(task <= 3) || !(origin <= 5))
    throw new Iso8583Error('badField', 0, 'is none that these parties exchange');
  return { kind, isAdvice: task >= 2, isResponse: task % 2 === 1, isRepeat: origin % 2 === 1 };
}

/** The type of a message that another one follows. @throws Iso8583Error badField */
export function originalTypeOf(version: string, mti: string): Pick<ExchangeType, 'kind' | 'isAdvice'> {
  const { kind, isAdvice } = typeOf(version, mti);
  return { kind, isAdvice };
}
