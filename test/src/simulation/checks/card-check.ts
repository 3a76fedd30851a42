import type { CardTransaction } from './card-recorder.js';

/** What is wrong with an approval by the issuer, by the cryptograms of its card; undefined when nothing is. A chip agrees with a TC; a tap has only one. */
export function wrongApproval(transaction: CardTransaction | undefined): string | undefined {
  if (!transaction) return 'no card gave its cryptogram';
  const { first, second, isTap } = transaction;
  if (isTap || second === 'TC') return undefined;
  return second === undefined
    ? `its card answered ${first}, and got no second request`
    : `its card answered ${second}`;
}

/** The same for a record of a sale without the issuer: the card gave a TC, or an ARQC that is kept. */
export function wrongRecord(
  isDeferred: boolean,
  transaction: CardTransaction | undefined,
): string | undefined {
  if (!transaction) return 'no card gave its cryptogram';
  const { first, second } = transaction;
  if (isDeferred) return first === 'ARQC' ? undefined : `its card answered ${first}, not ARQC`;
  return (second ?? first) === 'TC' ? undefined : `its card answered ${second ?? first}, not TC`;
}
