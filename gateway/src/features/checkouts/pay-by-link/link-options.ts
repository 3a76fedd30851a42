/** Options that a merchant may set for the form of a link: data alone, and nothing that leads the form or its shopper elsewhere. */
const SETTABLE: ReadonlySet<string> = new Set([
  'locale',
  'style',
  'labels',
  'errorMessages',
  'iframeStyles',
  'brandDetectionPriority',
  'numberFormatting',
  'requireCvv',
  'maskCvv',
  'showCVVHint',
  'showLabels',
  'showPlaceholders',
  'allowEmptyCardHolderName',
  'forceCardHolderEqualsBillingName',
  'spinner',
  'useSummaryPage',
]);

/** Parts of the billing address that a page may ask for. */
export const BILLING_PARTS: readonly string[] = [
  'street1',
  'houseNumber1',
  'houseNumber2',
  'street2',
  'postcode',
  'city',
  'state',
  'country',
];
/** What `all` means: where a house number is collected, `street1` holds the street alone. */
const WHOLE_ADDRESS: readonly string[] = ['street1', 'postcode', 'city', 'state', 'country'];

/** `wpwlOptions` of a link: an object of JSON. @returns undefined when it is none, or sets what may not be set */
export function readLinkOptions(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined;
    return Object.keys(read).every((name) => SETTABLE.has(name)) ? { ...read } : undefined;
  } catch {
    return undefined;
  }
}

/** Names of the options that may be set. */
export const LINK_OPTIONS: readonly string[] = [...SETTABLE];

/** Parts of the billing address in a list parted by commas; `all` means a whole address. @returns undefined for a part that there is not */
export function readBillingParts(list: string): readonly string[] | undefined {
  const named = list.split(',').map((part) => part.trim());
  if (named.includes('all')) return WHOLE_ADDRESS;
  return named.every((part) => BILLING_PARTS.includes(part)) ? named : undefined;
}

/** The parts of the billing address that the page of a link collects, and those among them that it demands. */
export function billingParts({
  collectBilling = '',
  mandatoryBilling = '',
}: Readonly<Record<string, string>>): {
  readonly collected: readonly string[];
  readonly demanded: readonly string[];
} {
  const demanded = readBillingParts(mandatoryBilling) ?? [];
  return { collected: [...new Set([...(readBillingParts(collectBilling) ?? []), ...demanded])], demanded };
}
