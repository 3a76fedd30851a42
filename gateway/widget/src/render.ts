import { accordion, openMethod } from './forms/accordion.js';
import { accountForm } from './forms/account-form.js';
import { cardForm } from './forms/card-form.js';
import type { FormContext, PaymentForm } from './forms/context.js';
import { registrationsForm } from './forms/registrations-form.js';
import { walletForm } from './forms/wallet-form.js';
import { type Method, namedMethods } from './shared/checkout.js';
import { element } from './shared/dom.js';
import { isOn } from './shared/options.js';

/** The id of the element with the stored payment details, the shop's own or ours. */
const REGISTRATIONS = 'wpwl-registrations';

/** Brands that a form of the shop names: in its attribute, or as its text (docs/widget.md). */
export function brandsOf(place: HTMLFormElement): readonly string[] {
  const named = place.dataset.brands ?? place.textContent ?? '';
  return named
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean);
}

/** The forms for what a form of the shop names: wallets first, one for all cards, one for each other method. */
export function methodForms(
  context: FormContext,
  brands: readonly string[],
  framesReady: () => void,
): readonly PaymentForm[] {
  const named = namedMethods(context.checkout, brands);
  const isWallet = ({ kind }: Method): boolean => kind === 'wallet';
  const methods = [...named.filter(isWallet), ...named.filter((method) => !isWallet(method))];
  const cards = methods.filter(({ kind }) => kind === 'card');
  let hasCards = false;
  return methods.flatMap((method) => {
    if (method.kind === 'wallet') return [walletForm(context, method)];
    if (method.kind !== 'card') return [accountForm(context, method)];
    if (hasCards) return [];
    hasCards = true;
    return [cardForm(context, cards, framesReady)];
  });
}

/** The form with the stored payment details; undefined where there are none. */
export function storedForm(context: FormContext): PaymentForm | undefined {
  const { registrations, methods } = context.checkout;
  if (registrations.length === 0) return undefined;
  const lengthOf = (brand: string): number => find(methods, brand)?.cvvLength ?? 0;
  return registrationsForm(context, lengthOf);
}

function find(methods: readonly Method[], brand: string): Method | undefined {
  return methods.find((method) => method.brand === brand);
}

/** Puts forms where the shop's form stood. Returns what puts the shop's form back. */
export function place(at: HTMLFormElement, forms: readonly Node[]): () => void {
  const holder = element('div.wpwl-placed');
  holder.style.display = 'contents';
  holder.append(...forms);
  at.replaceWith(holder);
  return () => holder.replaceWith(at);
}

/**
 * What stands at the place of the shop's form: the stored payment details first, then the other methods, as an accordion where there are several.
 * Where the shop hides these, a button shows them.
 */
export function arranged(
  context: FormContext,
  stored: PaymentForm | undefined,
  others: readonly PaymentForm[],
): readonly Node[] {
  const { language, options } = context;
  const own = stored && document.getElementById(REGISTRATIONS);
  const isHidden = isOn(options.registrations?.hideInitialPaymentForms, false) && others.length > 0;
  const isAccordion = others.length > 1 && isOn(options.accordion, true);
  const elements = isAccordion
    ? [accordion(context, others, stored === undefined || isHidden)]
    : others.map(({ container }) => container);
  if (!stored) return elements;
  const holder = own ?? element('div', { id: REGISTRATIONS });
  holder.append(stored.container);
  if (isHidden) {
    const label = language.texts.otherMethods;
    const button = element('button.wpwl-button.wpwl-button-other', { type: 'button' }, label);
    button.dataset.action = 'show-initial-forms';
    for (const each of elements) each.hidden = true;
    button.addEventListener('click', () => {
      for (const each of elements) each.hidden = false;
      button.remove();
      elements[0]?.querySelector<HTMLElement>('select, input, button')?.focus();
    });
    stored.container.append(button);
  }
  return own ? elements : [holder, ...elements];
}

/** Goes to the field that the shop names by the parameter it brings, such as `card.number`. */
export function focusField(forms: readonly PaymentForm[], name: unknown): void {
  if (typeof name !== 'string') return;
  for (const { element: form } of forms) {
    const found = form.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`);
    const container = found?.closest<HTMLElement>('.wpwl-container');
    if (container) openMethod(container);
    found?.focus();
    if (found) return;
  }
}
