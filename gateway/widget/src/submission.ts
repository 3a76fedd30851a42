import { withQuery } from '@tillbridge/gateway/kernel/api/return-url.js';
import { outcomeOf } from './answer.js';
import { showChallenge } from './challenge.js';
import type { FormContext, PaymentForm } from './forms/context.js';
import { showMessage } from './forms/shell.js';
import { browserParameters, formParameters } from './parameters.js';
import type { Session } from './session.js';
import { element } from './shared/dom.js';
import type { Answer, Parameter } from './shared/messages.js';
import { callHook, isOn, options, reportFault } from './shared/options.js';
import { spinner } from './shared/spinner.js';
import type { TextKey } from './texts/texts.js';

/** Sends forms, one at a time, and goes on with what the gateway answers. */
export class Submission {
  readonly #session: Session;
  /** What is being sent. */
  #sending: { readonly context: FormContext; readonly form: PaymentForm } | undefined;
  /** The form whose hooks run now, and whether one of them goes on with it by itself. */
  #hookCall: { readonly form: PaymentForm; goesOn: boolean } | undefined;
  /** A form that a hook of the shop has stopped: the shop goes on with `executePayment`. */
  #stopped: PaymentForm | undefined;
  /** A form whose summary the shopper has seen. */
  #confirmed: PaymentForm | undefined;
  #removeChallenge: (() => void) | undefined;
  /** Shows that something is being sent. */
  #mark: HTMLElement | undefined;

  constructor(session: Session) {
    this.#session = session;
    addEventListener('pageshow', this.#shown);
  }

  /**
   * Checks a form, calls the hook of the shop, sends it.
   * @param byShop the shop submits the form itself: its hook, which has stopped the form before, is not called again
   */
  async submit(context: FormContext, form: PaymentForm, byShop = false): Promise<void> {
    if (byShop && this.#hookCall?.form === form) {
      this.#hookCall.goesOn = true;
      return;
    }
    const isHookCalled = !(byShop && this.#stopped === form);
    const { disabled } = buttonOf(form) ?? { disabled: false };
    if (this.#sending || this.#hookCall || disabled || !isValid(form) || this.#isAtSummary(context, form))
      return;
    showMessage(form.element, '');
    this.#stopped = undefined;
    if (isHookCalled && !(await this.#shopAgrees(form))) {
      this.#stopped = form;
      return;
    }
    this.#setBusy(context, form, true);
    if (form.authorize && !(await form.authorize())) {
      this.#setBusy(context, form, false);
      return;
    }
    const { element: target } = form;
    const browser = context.checkout.threeDSecure || form.beforeSubmit === 'onBeforeSubmitCard';
    const gathered = browser ? browserParameters(options()) : [];
    const own = formParameters(target);
    const parameters = [...own, ...gathered.filter(([name]) => !own.some(([each]) => each === name))];
    const sent = this.#session.submit(context.checkout.purpose, parameters, form.frames());
    callHook(options().onAfterSubmit, eventOf(form));
    this.#goOn(context, form, await sent, parameters);
  }

  /** Takes away what is shown of a bank. */
  close(): void {
    removeEventListener('pageshow', this.#shown);
    this.#removeChallenge?.();
  }

  async #shopAgrees(form: PaymentForm): Promise<boolean> {
    const hookCall = { form, goesOn: false };
    this.#hookCall = hookCall;
    const isAgreed = await this.#hooksAgree(form);
    this.#hookCall = undefined;
    return isAgreed || hookCall.goesOn;
  }

  async #hooksAgree(form: PaymentForm): Promise<boolean> {
    const hooks = options();
    if (callHook(hooks[form.beforeSubmit], eventOf(form)) === false) return false;
    if (form.beforeSubmit !== 'onBeforeSubmitCard') return true;
    try {
      return (await callHook(hooks.onBeforeSubmitCardPromise, eventOf(form))) !== false;
    } catch {
      return false;
    }
  }

  /** Where the shop wants it, the first press of the button shows what is paid, and the second pays. */
  #isAtSummary({ language, checkout }: FormContext, form: PaymentForm): boolean {
    if (!isOn(options().useSummaryPage, false) || checkout.amount === undefined) return false;
    if (this.#confirmed === form) return false;
    this.#confirmed = form;
    const groups = form.element.querySelectorAll<HTMLElement>('.wpwl-group:not(.wpwl-group-submit)');
    for (const each of groups) each.classList.add('wpwl-hidden');
    form.container.classList.add('wpwl-at-summary');
    const back = element('button.wpwl-button.wpwl-button-back', { type: 'button' }, language.texts.back);
    back.addEventListener('click', () => {
      this.#confirmed = undefined;
      for (const each of groups) each.classList.remove('wpwl-hidden');
      form.container.classList.remove('wpwl-at-summary');
      back.remove();
    });
    form.element.append(back);
    form.element.querySelector<HTMLElement>('.wpwl-button-pay')?.focus();
    return true;
  }

  #goOn(context: FormContext, form: PaymentForm, answer: Answer, parameters: readonly Parameter[]): void {
    const outcome = outcomeOf(answer);
    form.clear();
    if (outcome.is === 'back-to-shop' || outcome.is === 'redirect') {
      callHook(options().onSaveTransactionData, answer.body);
      if (outcome.is === 'redirect') this.#redirect(context, form, outcome.url, parameters);
      else leave(shopUrl(context, answer), options().shopperResultTarget);
      return;
    }
    this.#setBusy(context, form, false);
    if (outcome.is === 'refused' && form.showErrors(outcome.names)) return;
    const text: TextKey =
      outcome.is === 'expired' ? 'expired' : outcome.is === 'too-many' ? 'tooMany' : 'failed';
    showMessage(form.element, context.language.texts[text]);
    const brand = form.brand();
    if (outcome.is === 'expired')
      reportFault({ name: 'InvalidCheckoutIdError', message: outcome.text, brand });
    else {
      const name = answer.status === 0 ? 'PciIframeSubmitError' : 'WidgetError';
      reportFault({ name, message: `the payment was not taken: ${outcome.is}`, brand });
    }
  }

  /** On a sheet over the page by default for 3D Secure, and for the brands that the shop names; else in place of the page. */
  #redirect(context: FormContext, form: PaymentForm, url: string, parameters: readonly Parameter[]): void {
    const { paymentTarget, inlineFlow = [], shopperResultTarget } = options();
    const isCard =
      form.frames().length > 0 || form.authorize || form.beforeSubmit === 'onBeforeSubmitOneClickCard';
    const isInline = inlineFlow.includes(form.brand()) || (isCard && !paymentTarget);
    if (!isInline) {
      leave(url, paymentTarget);
      return;
    }
    const windowCode = parameters.find(([name]) => name === 'customer.browser.challengeWindow')?.[1] ?? '5';
    const returned = (to: string): void => leave(to, shopperResultTarget);
    const left = (): void => this.#setBusy(context, form, false);
    this.#removeChallenge = showChallenge(context, { url, windowCode, returned, left });
  }

  #setBusy(context: FormContext, form: PaymentForm, isBusy: boolean): void {
    this.#sending = isBusy ? { context, form } : undefined;
    const button = buttonOf(form);
    // A button that is disabled loses the focus, and screen readers their place.
    button?.setAttribute('aria-disabled', String(isBusy));
    button?.setAttribute('aria-busy', String(isBusy));
    showMessage(form.element, isBusy ? context.language.texts.processing : '', isBusy);
    this.#mark?.remove();
    this.#mark = isBusy ? spinner() : undefined;
    if (this.#mark) button?.after(this.#mark);
  }

  /** The browser shows the page again as it was left: the shopper has come back from a bank by the button of the browser. */
  readonly #shown = ({ persisted }: PageTransitionEvent): void => {
    if (persisted && this.#sending) this.#setBusy(this.#sending.context, this.#sending.form, false);
  };
}

/** A shop that disables it wants nothing to be sent. */
function buttonOf({ element: form }: PaymentForm): HTMLButtonElement | null {
  return form.querySelector('.wpwl-button-pay');
}

/** Checks a form; its button shows it by its class too. */
function isValid(form: PaymentForm): boolean {
  const isGood = form.validate();
  buttonOf(form)?.classList.toggle('wpwl-button-error', !isGood);
  return isGood;
}

/** What hooks get: an event of the form. */
function eventOf({ element: form, brand }: PaymentForm): object {
  return {
    type: 'submit',
    target: form,
    currentTarget: form,
    brand: brand(),
    preventDefault: () => undefined,
  };
}

/** Where the shop receives the outcome. */
function shopUrl({ shopperResultUrl, checkout: { id, purpose } }: FormContext, { body }: Answer): string {
  if (shopperResultUrl === undefined) return String(body.returnUrl ?? '');
  return withQuery(shopperResultUrl, { id, resourcePath: `/v1/checkouts/${id}/${purpose}` });
}

/** Goes to an address of the shop. */
function leave(url: string, target = '_top'): void {
  // A script is no address of a shop.
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return;
  window.open(url, target);
}
