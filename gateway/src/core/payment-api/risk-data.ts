import { addPresent } from '@tillbridge/wire/present.js';
import type { ParameterValues } from '../../kernel/api/catalogue/sections.js';
import type { RiskData } from '../payments/rules/requests.js';

const PREFIX = 'risk.';

/** What the risk check looks at; nothing of a mandate (not used in risk checks). */
export function riskDataOf(values: ParameterValues): RiskData {
  const parameters: Record<string, string> = {};
  for (const [name, value] of values)
    if (name.startsWith(PREFIX)) parameters[name.slice(PREFIX.length)] = value;
  const data: RiskData = { parameters };
  addPresent(data, {
    email: values.get('customer.email'),
    ip: values.get('customer.ip'),
    billingCountry: values.get('billing.country'),
    shippingCountry: values.get('shipping.country'),
  });
  return data;
}
