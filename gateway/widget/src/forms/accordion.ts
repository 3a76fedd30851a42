import { element } from '../shared/dom.js';
import type { FormContext, PaymentForm } from './context.js';
import { methodMark } from './method-name.js';

/**
 * The methods below each other, of which one is open: the cards, or else the first. Each container gets a button in front of its form.
 * @param isOpen one is open from the beginning
 */
export function accordion(context: FormContext, forms: readonly PaymentForm[], isOpen: boolean): HTMLElement {
  const { checkout, language } = context;
  const buttons = forms.map(({ container, element: form, title, marks }) => {
    form.id = `${container.id}-form`;
    const button = element(
      'button.wpwl-method',
      { type: 'button', 'aria-controls': form.id, lang: language.tag, dir: language.dir },
      element('span.wpwl-method-name', {}, title),
      ...marks.map((brand) => {
        const mark = element('span.wpwl-brand', { 'aria-hidden': 'true' });
        mark.append(methodMark(context, brand));
        return mark;
      }),
    );
    button.addEventListener('click', () => open(button));
    container.prepend(button);
    return button;
  });
  const open = (chosen: HTMLButtonElement | undefined): void => {
    for (const [at, { element: form }] of forms.entries()) {
      const button = buttons[at];
      form.hidden = button !== chosen;
      button?.setAttribute('aria-expanded', String(button === chosen));
    }
  };
  const first = Math.max(
    0,
    forms.findIndex(({ container }) => container.matches('.wpwl-container-card')),
  );
  open(isOpen ? buttons[first] : undefined);
  const whole = element('div.wpwl-accordion', {}, ...forms.map(({ container }) => container));
  if (checkout.mode === 'test') {
    // Once for all of them.
    for (const each of whole.querySelectorAll('.wpwl-test-mode')) each.remove();
    const { tag: lang, dir, texts } = language;
    whole.append(element('div.wpwl-test-mode', { lang, dir }, texts.testMode));
  }
  return whole;
}

/** Opens the method of a container, where that stands in an accordion. */
export function openMethod(container: HTMLElement): void {
  container.querySelector<HTMLElement>('.wpwl-method[aria-expanded=false]')?.click();
}
