import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import type { SaleService } from '@tillbridge/agent/sale/service/sale-service.js';
import { redirected } from './redirected.js';

/** Deliberate bugs of what tills are shown. */

/** More than a store has in a simulation. */
const MOST_SALES = 1_000;

/** A part approval counts in totals with the whole amount. */
export function totalsRequestedAmounts(service: SaleService): SaleService {
  return redirected(service, {
    totals: async (...[query, by]: Parameters<SaleService['totals']>) => {
      const [groups, { sales }] = await Promise.all([
        service.totals(query, by),
        service.sales(query, 0, MOST_SALES),
      ]);
      return groups.map((group) => {
        const cents = sales
          .filter(
            ({ type, outcome, terminalId }) =>
              type === 'sale' && outcome === 'approved' && terminalId === group.key,
          )
          .reduce(
            (sum, { amount, approvedAmount = amount }) => sum + centsOf(amount) - centsOf(approvedAmount),
            0,
          );
        const { count, amount } = group.approved;
        return { ...group, approved: { count, amount: ((centsOf(amount) + cents) / 100).toFixed(2) } };
      });
    },
  });
}

/** The receipt of a part approval shows the whole amount. */
export function showsRequestedAmounts(service: SaleService): SaleService {
  const whole = (answer: SaleAnswer): SaleAnswer => {
    const { receipts, approvedAmount, amount } = answer;
    if (!receipts || approvedAmount === undefined) return answer;
    const printed = (text: string): string => text.replace(`EUR ${approvedAmount}`, `EUR ${amount}`);
    return {
      ...answer,
      receipts: { customer: printed(receipts.customer), merchant: printed(receipts.merchant) },
    };
  };
  return redirected(service, {
    request: async (...call: Parameters<SaleService['request']>) => whole(await service.request(...call)),
  });
}

const centsOf = (text: string): number => Math.round(Number(text) * 100);
