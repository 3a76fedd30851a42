import { hidden } from '../shared/dom.js';
import { callHook, options as currentOptions, isOn } from '../shared/options.js';
import type { FormContext } from './context.js';
import { type Field, textField } from './text-field.js';

const SHORTEST_HOLDER = 3;
/** Longest name that a customer has. */
const LONGEST_NAME = '50';

/** The fields for the cardholder, and what is sent with them. */
interface HolderFields {
  readonly fields: readonly Field[];
  readonly inputs: readonly HTMLInputElement[];
}

/** One field for the cardholder; two where the shop wants the payer to be the cardholder (`forceCardHolderEqualsBillingName`). */
export function holderFields(context: FormContext): HolderFields {
  const report = (isValid: boolean) => callHook(currentOptions().onBlurCardHolder, isValid);
  if (isOn(context.options.forceCardHolderEqualsBillingName, false)) return payerFields(context, report);
  const mayBeNameless = isOn(context.options.allowEmptyCardHolderName, true);
  const field = textField(context, {
    key: 'cardHolder',
    name: 'card.holder',
    label: 'cardHolder',
    error: 'cardHolderError',
    isValid: (value) => (value === '' ? mayBeNameless : value.length >= SHORTEST_HOLDER),
    attributes: { autocomplete: 'cc-name', maxlength: '128' },
    onBlur: report,
  });
  return { fields: [field], inputs: [] };
}

/** First and last name of the payer; both together are the cardholder. */
function payerFields(context: FormContext, onBlur: (isValid: boolean) => unknown): HolderFields {
  const holder = hidden('card.holder');
  const fields = (['givenName', 'surname'] as const).map((key) =>
    textField(context, {
      key,
      name: `customer.${key}`,
      names: [`customer.${key}`, holder.name],
      label: key,
      error: 'requiredError',
      isValid: (value) => value !== '',
      attributes: {
        autocomplete: key === 'givenName' ? 'cc-given-name' : 'cc-family-name',
        maxlength: LONGEST_NAME,
      },
      onBlur,
    }),
  );
  for (const { input } of fields)
    input.addEventListener('input', () => {
      holder.value = fields.map((field) => field.input.value.trim()).join(' ');
    });
  return { fields, inputs: [holder] };
}
