import { present } from '@tillbridge/wire/present.js';

/** A line of an order, as the shopper sees it. */
export interface OrderLine {
  readonly name: string;
  readonly quantity?: string;
  /** Of all pieces. */
  readonly price?: { readonly amount: string; readonly currency: string };
}

const NAME = /^cart\.items\[(\d+)\]\.name$/;

/** The lines of the order in the merchant's parameters, in their order; those without a name are left out. */
export function orderLines(purchase: Readonly<Record<string, string>>): readonly OrderLine[] {
  const numbers = Object.keys(purchase).flatMap((name) => NAME.exec(name)?.[1] ?? []);
  return numbers
    .sort((one, other) => Number(one) - Number(other))
    .map((number) => {
      const of = (part: string): string | undefined => purchase[`cart.items[${number}].${part}`];
      const quantity = of('quantity');
      const isOne = quantity === undefined || Number(quantity) === 1;
      const amount = of('totalAmount') ?? (isOne ? of('price') : undefined);
      const currency = of('currency') ?? purchase.currency;
      return {
        name: of('name') ?? '',
        ...present({ quantity, price: amount && currency ? { amount, currency } : undefined }),
      };
    });
}
