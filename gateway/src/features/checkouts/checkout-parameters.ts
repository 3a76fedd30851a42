/** The merchant's parameters of a checkout, by name. */
export type CheckoutParameters = Readonly<Record<string, string>>;

/** Stored payment details that a checkout offers for one click (docs/checkouts.md, registrations[n].id). Pure. */
export function offeredIds(parameters: CheckoutParameters): readonly string[] {
  const names = Object.keys(parameters).filter((name) => /^registrations\[\d+\]\.id$/.test(name));
  return names.map((name) => parameters[name] ?? '');
}

const OVERRIDE = /^overridePaymentType\[(.+)\]$/;

/** A checkout that stores payment details and pays nothing (docs/checkouts.md). Pure. */
export function storesOnly({ paymentType, amount }: CheckoutParameters): boolean {
  return (paymentType === undefined || paymentType === 'RG') && amount === undefined;
}

/** paymentType of what is posted with a brand (overridePaymentType). Pure. */
export function paymentTypeFor(
  parameters: CheckoutParameters,
  brand: string | undefined,
): string | undefined {
  return (brand === undefined ? undefined : overridesOf(parameters)[brand]) ?? parameters.paymentType;
}

/** paymentType by brand. Pure. */
export function overridesOf(parameters: CheckoutParameters): Readonly<Record<string, string>> {
  const entries = Object.entries(parameters).map(
    ([name, value]) => [OVERRIDE.exec(name)?.[1], value] as const,
  );
  return Object.fromEntries(entries.filter(([brand]) => brand !== undefined));
}
