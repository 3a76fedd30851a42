import type { Registration } from '../shared/checkout.js';
import { element } from '../shared/dom.js';
import { brandMark, brandName } from '../shared/marks.js';
import { options as currentOptions, isOn } from '../shared/options.js';
import type { FormContext, PaymentForm } from './context.js';
import { type SecureInput, secureField } from './secure-field.js';
import { shell } from './shell.js';

/** Stored payment details to choose from, and to pay with by one click. @param lengthOf digits of the code of a brand */
export function registrationsForm(context: FormContext, lengthOf: (brand: string) => number): PaymentForm {
  const { language, options, checkout } = context;
  const { container, form, add, remove } = shell(context, { key: 'registration', formKey: 'registrations' });
  const wantsCode = isOn(options.registrations?.requireCvv, false);
  const codes = new Map<string, SecureInput>();
  const places = new Map<string, HTMLElement>();
  let chosen = checkout.registrations[0];

  const rows = checkout.registrations.map((registration, at) => {
    const radio = element('input', { type: 'radio', name: 'registrationId', value: registration.id });
    radio.checked = at === 0;
    radio.dataset.action = 'change-registration';
    const code = element('div.wpwl-wrapper-registration.wpwl-wrapper-registration-cvv');
    places.set(registration.id, code);
    const row = element(
      'div.wpwl-group.wpwl-group-registration.wpwl-clearfix',
      {},
      element(
        'label.wpwl-registration',
        {},
        part('registrationId', radio),
        part('brand', markOf(registration)),
        details(registration, language.tag),
      ),
      code,
    );
    radio.addEventListener('change', () => choose(registration));
    return { row, registration };
  });

  const choose = (registration: Registration): void => {
    chosen = registration;
    for (const { row, registration: each } of rows)
      row.classList.toggle('wpwl-selected', each === registration);
    for (const [id, code] of codes) code.group.element.hidden = id !== registration.id;
    if (!wantsCode || registration.kind !== 'card' || codes.has(registration.id)) return;
    const code = secureField(context, {
      field: 'card.cvv',
      key: 'cvv',
      label: 'cvv',
      error: 'cvvError',
      brands: [],
      mayBeEmpty: false,
      onEnter: () => {
        if (!isOn(currentOptions().disableSubmitOnEnter, false)) context.submit(self);
      },
    });
    code.setLength(lengthOf(registration.brand ?? ''));
    codes.set(registration.id, code);
    places.get(registration.id)?.append(code.group.element);
  };

  add(
    element('div.wpwl-label.wpwl-label-registrations', {}, language.texts.storedDetails),
    ...rows.map(({ row }) => row),
  );
  if (chosen) choose(chosen);
  const code = (): SecureInput | undefined => codes.get(chosen?.id ?? '');
  const self: PaymentForm = {
    container,
    element: form,
    title: language.texts.storedDetails,
    marks: [],
    brand: () => chosen?.brand ?? '',
    beforeSubmit: 'onBeforeSubmitOneClickCard',
    validate: () => {
      const isGood = code()?.check() ?? true;
      if (!isGood) code()?.focus();
      return isGood;
    },
    frames: () => {
      const frame = code()?.frame;
      return frame ? [frame] : [];
    },
    showErrors: (names) => {
      if (names.includes('card.cvv')) code()?.refuse();
      return code() !== undefined && names.every((name) => name === 'card.cvv');
    },
    clear: () => code()?.clear(),
    remove: () => {
      for (const each of codes.values()) each.remove();
      remove();
    },
  };
  return self;
}

function part(name: string, ...children: readonly (Node | string)[]): HTMLElement {
  return element(`div.wpwl-wrapper-registration.wpwl-wrapper-registration-${name}` as 'div', {}, ...children);
}

function markOf({ brand }: Registration): HTMLElement {
  const mark = element(`div.wpwl-brand${brand ? `.wpwl-brand-${brand}` : ''}` as 'div', {
    'aria-hidden': 'true',
  });
  if (brand) mark.append(brandMark(brand));
  return mark;
}

function details(
  { brand, last4Digits, expiryMonth, expiryYear, holder }: Registration,
  lang: string,
): HTMLElement {
  const name = brand ? `${brandName(brand)} ` : '';
  const number = part('number', `${name}•••• ${last4Digits ?? ''}`);
  const expiry =
    expiryMonth && expiryYear ? part('expiry', `${expiryMonth} / ${expiryYear.slice(-2)}`) : undefined;
  const whole = part(
    'details',
    number,
    ...(expiry ? [expiry] : []),
    ...(holder ? [part('holder', holder)] : []),
  );
  whole.lang = lang;
  return whole;
}
