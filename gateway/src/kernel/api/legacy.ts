import { BOOLEAN, pattern, text } from './catalogue/rows/format.js';
import { optional, type Parameter } from './catalogue/rows/parameter.js';

/**
 * What clients of older integrations send outside the specification (docs/rest-api.md): taken where an entity is set to
 * `compatibility: legacy`, and nowhere else. None of it counts among the rows of the specification.
 */

/** Names that stand for others, by their beginnings. */
const ALIASES: readonly (readonly [from: string, to: string])[] = [
  ['authentication.entityId', 'entityId'],
  ['applePay.', 'walletA.'],
  ['googlePay.', 'walletB.'],
  ['samsungPay.', 'walletC.'],
];

/** Names that the specification does not have. */
const EXTRA: readonly Parameter[] = [
  optional('authentication.userId', text(1, 255), { sensitive: true }),
  optional('authentication.password', text(1, 255), { sensitive: true }),
  optional('customer.browser.javascriptEnabled', BOOLEAN),
  optional('recurringType', text(1, 32)),
  optional('threeDSecure.flow', text(1, 32)),
  optional('threeDSecure.xid', text(1, 255)),
  optional('shipping.givenName', text(1, 255), { echoed: true }),
  optional('shipping.surname', text(1, 255), { echoed: true }),
];

/** Formats that are wider for such clients. */
const WIDER: readonly (readonly [name: RegExp, format: Parameter['format']])[] = [
  [/^(merchantTransactionId|merchantInvoiceId|merchantMemo)$/, text(1, 255)],
  [/(^|\.)(phone|mobile)$/, text(1, 40)],
  [/^shipping\.(city|state|postcode)$/, text(1, 100)],
  [/^billing\.(state|postcode)$/, text(1, 100)],
  [/^threeDSecure\.challengeIndicator$/, pattern('0?[1-9]', { valid: ['1', '04'], invalid: ['0', '10'] })],
];

const BOOLEANS: ReadonlyMap<string, string> = new Map([
  ['1', 'true'],
  ['0', 'false'],
]);

/** The rows with wider formats, and the extra names after them. */
export function legacyRows(rows: readonly Parameter[]): readonly Parameter[] {
  const wider = rows.map((row) => {
    const format = WIDER.find(([name]) => name.test(row.name))?.[1];
    return format ? { ...row, format } : row;
  });
  return [...wider, ...EXTRA];
}

/** The parameters under the specification's names and in its spelling of values. */
export function legacyForm(
  sent: readonly (readonly [name: string, value: string])[],
  rows: readonly Parameter[],
): readonly (readonly [name: string, value: string])[] {
  const booleans = new Set(rows.filter((row) => row.format === BOOLEAN).map((row) => row.name));
  return sent.map(([sentName, value]) => {
    const name = currentName(sentName);
    if (name === 'card.number') return [name, value.trim()];
    if (booleans.has(name.replace(/\[\d+\]/g, '[n]'))) return [name, BOOLEANS.get(value) ?? value];
    return [name, value];
  });
}

function currentName(name: string): string {
  const alias = ALIASES.find(([from]) => name === from || (from.endsWith('.') && name.startsWith(from)));
  return alias ? alias[1] + name.slice(alias[0].length) : name;
}
