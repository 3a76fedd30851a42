import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';

/** Lines that a customer reads as money taken, whatever else is on the receipt. */
const TAKEN: ReadonlySet<string> = new Set(['APPROVED', 'TAKEN OFFLINE']);
/** The sentences after which a cashier charges, or gives back, once more. */
const SAFE = /NOT charged|NOTHING was given back|safe to try again/;

/**
 * What is wrong with the receipts and the cashier's text of an ended sale, as the till was shown them; undefined when nothing is.
 * An approval without the gateway is called unsure until it was authorized, and none but an authorized one bears a code.
 */
export function wrongReceipt({
  outcome,
  mode,
  receipts,
  cashierText,
  paymentId,
  ...amounts
}: SaleAnswer): string | undefined {
  const approved = outcome === 'approved';
  if (approved && SAFE.test(cashierText)) return `an approved sale is called safe to repeat: ${cashierText}`;
  for (const [copy, text] of Object.entries(receipts ?? {})) {
    const lines = text.split('\n').map((line) => line.trim());
    const taken = lines.some((line) => TAKEN.has(line));
    const shown = amountsOf(lines);
    const should = shownAmounts(amounts);
    if (shown.join() !== should.join())
      return `the ${copy} receipt of ${should.join(' of a total of ')} shows ${shown.join(' of a total of ')}`;
    if (taken !== approved)
      return `the ${copy} receipt of a sale that is ${outcome} reads ${lines.join(' / ')}`;
    const coded = lines.some((line) => line.startsWith('Approval code'));
    if (coded && !approved) return `the ${copy} receipt of a sale that is ${outcome} bears an approval code`;
    const unsure = text.includes('SUBJECT TO AUTHORIZATION');
    const isOffline = (mode === 'offline-card' || mode === 'offline-deferred') && paymentId === undefined;
    if (approved && isOffline && (!unsure || coded))
      return `the ${copy} receipt of an unauthorized sale promises money`;
  }
  return undefined;
}

type Amounts = Pick<SaleAnswer, 'amount' | 'approvedAmount' | 'currency'>;

/** What was approved, and where that was a part what was requested. */
function shownAmounts({ amount, approvedAmount, currency }: Amounts): readonly string[] {
  return [...(approvedAmount === undefined ? [] : [approvedAmount]), amount].map(
    (each) => `${currency} ${each}`,
  );
}

/** The amounts on a receipt, in their order. */
function amountsOf(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => /^(?:Amount|Of a total of) +(\S.*)$/.exec(line)?.[1] ?? []);
}
