import { isOn, type Options } from '../shared/options.js';
import type { TextKey } from '../texts/texts.js';
import type { FormContext } from './context.js';
import { countryField } from './country-field.js';
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

/** The parts of the billing address that the shop names (`billingAddress`); `true`: a whole address. */
export function billingParts({
  billingAddress,
  mandatoryBillingFields = {},
}: Options): readonly (typeof PARTS)[number][] {
  if (!billingAddress) return [];
  return PARTS.filter(
    ([key]) =>
      (billingAddress === true && WHOLE_ADDRESS.includes(key)) ||
      (typeof billingAddress === 'object' && Object.hasOwn(billingAddress, key)) ||
      isOn(mandatoryBillingFields[key], false),
  );
}

/** The fields for these parts, prefilled with what the shop knows. */
export function billingFields(context: FormContext): readonly Field[] {
  const { billingAddress, mandatoryBillingFields = {} } = context.options;
  const known = typeof billingAddress === 'object' ? billingAddress : {};
  return billingParts(context.options).map(([key, label, autocomplete]) => {
    const isMandatory = isOn(mandatoryBillingFields[key], false);
    const name = `billing.${key}`;
    const value = String(known[key] ?? '');
    if (key === 'country') return countryField(context, { key, name, value, isMandatory });
    const field = textField(context, {
      key,
      name,
      label,
      error: 'requiredError',
      isValid: (entered) => entered !== '' || !isMandatory,
      attributes: { autocomplete, maxlength: '80' },
    });
    field.input.value = value;
    return field;
  });
}
