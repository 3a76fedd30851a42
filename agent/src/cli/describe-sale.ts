import { PLAIN, type Style } from '@tillbridge/platform/command-line/style.js';
import type { SaleAnswer } from '../sale/machine/state/answer.js';
import type { ServerEvent } from './event-reader.js';
import { EXIT } from './exit-code.js';

/** How a sale ended, as text. */
export function describeSale(sale: SaleAnswer, style: Style = PLAIN): string {
  const lines = [
    `${style.state(sale.outcome ?? sale.state)}  ${sale.amount} ${sale.currency}  ${sale.reference}`,
  ];
  if (sale.mode !== null) lines.push(`mode      ${sale.mode}`);
  if (sale.card) {
    const { brand, bin, last4Digits, entryMode } = sale.card;
    const number = bin && last4Digits ? `${bin}…${last4Digits}` : '';
    lines.push(`card      ${[brand, number, entryMode].filter(Boolean).join(' ')}`);
  }
  if (sale.emv?.acType) lines.push(`decision  ${[sale.emv.acType, sale.emv.arc].filter(Boolean).join(' ')}`);
  if (sale.paymentId)
    lines.push(`payment   ${sale.paymentId}${sale.resultCode ? `, ${sale.resultCode}` : ''}`);
  lines.push(`cashier   ${sale.cashierText}`);
  return lines.join('\n');
}

/** Exit code of `sale`: 0 approved, 1 ended otherwise, 3 not known yet. */
export function exitCodeOf(sale: SaleAnswer): number {
  if (sale.outcome === null) return EXIT.unknown;
  return sale.outcome === 'approved' ? EXIT.ok : EXIT.declined;
}

/** True when nothing more will happen to the sale by itself. */
export function hasEnded(sale: SaleAnswer): boolean {
  return sale.state === 'done' || sale.state === 'parked';
}

/** An event of a sale: which, as a line of text, and whether it was the last one. */
interface SaleNews {
  readonly reference: string;
  readonly line: string;
  readonly ended: boolean;
}

/** The news of a sale in an event; undefined for other events. */
export function readSaleNews(event: ServerEvent): SaleNews | undefined {
  if (event.type !== 'sale' && event.type !== 'progress') return undefined;
  const data = JSON.parse(event.data) as {
    readonly at: string;
    readonly step: string;
    readonly text?: string;
    readonly reference?: string;
    readonly sale?: SaleAnswer;
  };
  return {
    reference: data.sale?.reference ?? data.reference ?? '',
    line: `${data.at.slice(11, 23)}  ${data.step}${data.text ? `: ${data.text}` : ''}`,
    ended: data.sale !== undefined && hasEnded(data.sale),
  };
}
