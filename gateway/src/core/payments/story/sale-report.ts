import type { SaleReport, SaleReportFrame } from '@tillbridge/wire/bridge/messages.js';
import type { AgentCommandRow } from '../../../kernel/store/rows.js';

/** What an agent reported of a sale, as its command holds it. */
export interface StoredSaleReport extends Omit<SaleReport, 'frames'> {
  readonly frames: readonly (Omit<SaleReportFrame, 'head'> & { readonly head: string })[];
}

/** The report of a sale that a command brought; undefined where it brought none. */
export function saleReportOf({ result }: AgentCommandRow): StoredSaleReport | undefined {
  const { saleReport } = JSON.parse(result ?? '{}') as { readonly saleReport?: StoredSaleReport };
  return saleReport;
}
