import { createRequire } from 'node:module';
import { checkRequest } from '@tillbridge/gateway/kernel/api/check/check-request.js';
import { parseForm } from '@tillbridge/gateway/kernel/api/form.js';
import { PAYMENT } from '../load/payment-example.js';
import { type BenchRow, measure } from './rows/measure.js';

/** The peer: npm `qs`, which parses and checks nothing. */
interface Qs {
  parse(text: string, options: { readonly parameterLimit: number }): unknown;
}

const qs = createRequire(import.meta.url)('qs') as Qs;
const PARAMETERS = 60;

const ADDRESS = { street1: 'Main Street 1', city: 'London', postcode: 'SW1A1AA', country: 'GB' };

/** A payment with a customer, two addresses and a cart: as many parameters as large requests have. */
function largePayment(): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {
    entityId: 'a'.repeat(32),
    ...PAYMENT,
    merchantTransactionId: 'order-1234567890',
    merchantInvoiceId: 'invoice-1234567890',
    'customer.givenName': 'Jane',
    'customer.surname': 'Jones',
    'customer.email': 'jane.jones@example.com',
    'customer.ip': '192.0.2.1',
    'customer.phone': '+441234567890',
  };
  for (const [name, value] of Object.entries(ADDRESS)) {
    fields[`billing.${name}`] = value;
    fields[`shipping.${name}`] = value;
  }
  for (let item = 0; Object.keys(fields).length < PARAMETERS; item += 1)
    for (const [name, value] of [
      ['name', `Article ${item}`],
      ['merchantItemId', `item-${item}`],
      ['quantity', '2'],
      ['price', '1.50'],
    ] as const)
      if (Object.keys(fields).length < PARAMETERS) fields[`cart.items[${item}].${name}`] = value;
  return fields;
}

/** Parsing and checking a large form against the catalogue and all rules, against npm `qs`, which only parses it. */
export function benchValidate(): BenchRow[] {
  const text = new URLSearchParams(largePayment()).toString();
  const body = Buffer.from(text);
  const validate = () => {
    const form = parseForm(body);
    return [...form.errors, ...checkRequest(form.parameters, { operation: 'payment' }).errors];
  };
  const errors = validate();
  if (errors.length > 0) throw new Error(`the form is refused: ${JSON.stringify(errors)}`);
  const parsed = () => qs.parse(text, { parameterLimit: 2 * PARAMETERS });
  return [
    measure({
      name: `validate: a form of ${PARAMETERS} parameters parsed and checked, against qs, which only parses`,
      goal: 1,
      ours: validate,
      baseline: parsed,
    }),
  ];
}
