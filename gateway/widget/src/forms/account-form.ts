import { isIban } from '../shared/cards.js';
import type { Method } from '../shared/checkout.js';
import { element, hidden } from '../shared/dom.js';
import type { BeforeSubmit } from '../shared/options.js';
import { checkFields, refuseFields } from './check-fields.js';
import type { FormContext, PaymentForm } from './context.js';
import { countryField } from './country-field.js';
import { methodMark, methodName } from './method-name.js';
import { shell } from './shell.js';
import { type Field, textField } from './text-field.js';

/** The form of a method without a card: an account, or a button that leads to where the shopper approves. */
export function accountForm(context: FormContext, method: Method): PaymentForm {
  const { brand, kind, shownAs = brand } = method;
  const isDebit = kind === 'direct-debit';
  const isAccount = kind === 'virtual-account' || kind === 'wallet';
  const family = isDebit ? 'directDebit' : isAccount ? 'virtualAccount' : 'onlineTransfer';
  const key = isDebit ? family : `${family}-${shownAs}`;
  const mark = element(`div.wpwl-brand.wpwl-brand-${shownAs}` as 'div');
  mark.append(methodMark(context, shownAs));
  const { container, form, button, add, remove } = shell(context, { key, ...(!isDebit && { mark }) });
  if (!isDebit) {
    for (const each of form.querySelectorAll('.wpwl-summary, .wpwl-test-mode')) each.remove();
    button.classList.add('wpwl-button-brand');
    // Shops style the button of this wallet by its class.
    if (shownAs === 'APPLEPAY') button.classList.add('wpwl-apple-pay-button', 'wpwl-apple-pay-button-black');
  }
  const fields = isDebit ? debitFields(context, brand) : [];
  add(
    ...(isDebit ? [element('div.wpwl-group.wpwl-group-brand.wpwl-clearfix', {}, mark)] : []),
    ...fields.map((field) => field.group.element),
    hidden('paymentBrand', brand),
  );
  return {
    container,
    element: form,
    title: methodName(context, method),
    marks: [shownAs],
    brand: () => brand,
    beforeSubmit: `onBeforeSubmit${family[0]?.toUpperCase()}${family.slice(1)}` as BeforeSubmit,
    validate: () => checkFields(fields),
    frames: () => [],
    showErrors: (names) => refuseFields(fields, names),
    clear: () => undefined,
    remove,
  };
}

function debitFields(context: FormContext, brand: string): readonly Field[] {
  const holder = textField(context, {
    key: 'accountHolder',
    name: 'bankAccount.holder',
    label: 'accountHolder',
    error: 'requiredError',
    isValid: (value) => value.length >= 4,
    attributes: { autocomplete: 'name', maxlength: '128' },
  });
  if (brand === 'DIRECTDEBIT_SEPA')
    return [
      holder,
      textField(context, {
        key: 'accountIban',
        name: 'bankAccount.iban',
        label: 'iban',
        error: 'ibanError',
        isValid: isIban,
        attributes: { autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', dir: 'ltr' },
      }),
    ];
  const text = (key: string, name: string, label: 'accountNumber' | 'bankCode', form: RegExp) =>
    textField(context, {
      key,
      name: `bankAccount.${name}`,
      label,
      error: 'requiredError',
      isValid: (value) => form.test(value),
      attributes: { autocomplete: 'off', dir: 'ltr' },
    });
  return [
    holder,
    text('accountNumber', 'number', 'accountNumber', /^[A-Za-z0-9]{3,64}$/),
    text('accountBank', 'bankCode', 'bankCode', /^[A-Za-z0-9]{1,12}$/),
    countryField(context, {
      key: 'accountCountry',
      name: 'bankAccount.country',
      value: '',
      isMandatory: true,
    }),
  ];
}
