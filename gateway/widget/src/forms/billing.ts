import { isOn } from '../shared/options.js';
import type { TextKey } from '../texts/texts.js';
import type { FormContext } from './context.js';
import { type Field, textField } from './text-field.js';

/** Parts of the address, with what a browser fills them by. */
const PARTS: readonly (readonly [key: string, label: TextKey, autocomplete: string])[] = [
  ['street1', 'street', 'billing address-line1'],
  ['houseNumber1', 'houseNumber', 'off'],
  ['houseNumber2', 'houseNumber', 'off'],
  ['street2', 'street2', 'billing address-line2'],
  ['postcode', 'postcode', 'billing postal-code'],
  ['city', 'city', 'billing address-level2'],
  ['state', 'state', 'billing address-level1'],
  ['country', 'country', 'billing country'],
];

/** What `true` means: a house number makes `street1` the street alone. */
const WHOLE_ADDRESS: readonly string[] = ['street1', 'postcode', 'city', 'state', 'country'];

/** The parts of the billing address that the shop names (`billingAddress`), prefilled with what it knows; `true`: a whole address. */
export function billingFields(context: FormContext): readonly Field[] {
  const { billingAddress, mandatoryBillingFields = {} } = context.options;
  if (!billingAddress) return [];
  const known = typeof billingAddress === 'object' ? billingAddress : {};
  const wanted = ([key]: (typeof PARTS)[number]): boolean =>
    (billingAddress === true && WHOLE_ADDRESS.includes(key)) ||
    Object.hasOwn(known, key) ||
    isOn(mandatoryBillingFields[key], false);
  return PARTS.filter(wanted).map(([key, label, autocomplete]) => {
    const isMandatory = isOn(mandatoryBillingFields[key], false);
    const isCountry = key === 'country';
    const field = textField(context, {
      key,
      name: `billing.${key}`,
      label,
      error: 'requiredError',
      isValid: (value) => (value === '' ? !isMandatory : !isCountry || /^[A-Z]{2}$/.test(value)),
      attributes: { autocomplete, maxlength: isCountry ? '2' : '80' },
    });
    field.input.value = String(known[key] ?? '');
    return field;
  });
}
