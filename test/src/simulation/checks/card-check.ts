import type { CardTransaction } from './card-recorder.js';

/** What is wrong with an approval by the issuer, by what its card said; undefined when nothing is. A chip agrees with a TC; a tap has no say. */
export function wrongApproval(transaction: CardTransaction | undefined): string | undefined {
  if (!transaction) return 'no card gave its cryptogram';
  const { first, second, isTap } = transaction;
  if (isTap || second === 'TC') return undefined;
  return second === undefined ? `its card said ${first}, and was not asked again` : `its card said ${second}`;
}

/** The same for a record of a sale without the issuer: the card gave a TC, or an ARQC that is kept. */
export function wrongRecord(
  isDeferred: boolean,
  transaction: CardTransaction | undefined,
): string | undefined {
  if (!transaction) return 'no card gave its cryptogram';
  const { first, second } = transaction;
  if (isDeferred) return first === 'ARQC' ? undefined : `its card said ${first}, not ARQC`;
  return (second ?? first) === 'TC' ? undefined : `its card said ${second ?? first}, not TC`;
}
