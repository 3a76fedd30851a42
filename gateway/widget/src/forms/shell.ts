import { localizedAmount } from '@tillbridge/wire/shopper/localized-amount.js';
import { element, hidden } from '../shared/dom.js';
import type { FormContext } from './context.js';

/** A container with its form, empty but for its end. */
interface Shell {
  readonly container: HTMLDivElement;
  readonly form: HTMLFormElement;
  readonly button: HTMLButtonElement;
  /** Puts parts before the button. */
  add(...options: readonly Node[]): void;
  remove(): void;
}

/** How a container is named: `card` for `wpwl-container-card`. */
interface ShellOptions {
  readonly key: string;
  /** Of the form, where it is not that of the container. */
  readonly formKey?: string;
  /** Its button alone is its content: before the text of the button stands a mark, and messages stand below it. */
  readonly mark?: Node;
}

/** Container, form, message and button of docs/widget.md. */
export function shell(context: FormContext, { key, formKey = key, mark }: ShellOptions): Shell {
  const { checkout, address, language, shopperResultUrl, nextNumber } = context;
  const resource = checkout.purpose;
  const button = element('button.wpwl-button.wpwl-button-pay', { type: 'submit', name: 'pay' });
  if (mark) button.append(mark, element('span', {}, buttonText(context)));
  else button.textContent = buttonText(context);
  const submit = element(
    'div.wpwl-group.wpwl-group-submit.wpwl-clearfix',
    {},
    element('div.wpwl-wrapper.wpwl-wrapper-submit', {}, button),
  );
  const message = element('div.wpwl-message', { role: 'status' });
  const form = element(
    `form.wpwl-form.wpwl-form-${formKey}.wpwl-clearfix` as 'form',
    {
      action: `${address.base}v1/checkouts/${encodeURIComponent(checkout.id)}/${resource}`,
      method: 'POST',
      target: 'cnpIframe',
      lang: language.tag,
      dir: language.dir,
      novalidate: '',
    },
    shopperResultUrl === undefined ? undefined : hidden('shopperResultUrl', shopperResultUrl),
    summary(context),
    ...(mark ? [submit, message] : [message, submit]),
    checkout.mode === 'test' ? element('div.wpwl-test-mode', {}, language.texts.testMode) : undefined,
  );
  const id = `${key.split('-')[0]}_${nextNumber()}`;
  const container = element(`div.wpwl-container.wpwl-container-${key}.wpwl-clearfix` as 'div', { id }, form);
  return {
    container,
    form,
    button,
    add: (...options) => {
      const end = form.querySelector('.wpwl-summary') ?? (mark ? submit : message);
      for (const part of options) form.insertBefore(part, end);
    },
    remove: () => container.remove(),
  };
}

/** What the button does, with the amount as the language writes it. */
function buttonText({
  checkout: { purpose, amount, currency },
  language: { tag, texts },
}: FormContext): string {
  if (purpose === 'registration') return texts.save;
  const shown = amount === undefined || currency === undefined ? '' : localizedAmount(tag, amount, currency);
  return texts.pay.replace('{amount}', shown).trim();
}

/** The amount alone, which the page of the summary shows (`useSummaryPage`). */
function summary({ checkout, language }: FormContext): HTMLElement | undefined {
  const { amount, currency } = checkout;
  if (amount === undefined || currency === undefined) return undefined;
  return element(
    'div.wpwl-summary',
    {},
    element('span', {}, language.texts.total),
    element('span.wpwl-summary-amount', {}, localizedAmount(language.tag, amount, currency)),
  );
}

/** Shows a text about a form as a whole; an empty text removes it. @param isBusy it is no fault */
export function showMessage(form: HTMLElement, text: string, isBusy = false): void {
  const place = form.querySelector('.wpwl-message');
  place?.classList.toggle('wpwl-message-busy', isBusy);
  if (place) place.textContent = text;
}
