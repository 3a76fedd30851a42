import { outcomeOf } from './answer.js';
import type { FormContext, PaymentForm } from './forms/context.js';
import { EARLY_STYLES, showLoading } from './loading.js';
import { brandsOf, focusField, methodForms, place, storedForm, withStored } from './render.js';
import { Session } from './session.js';
import type { Checkout } from './shared/checkout.js';
import { addStyles, element } from './shared/dom.js';
import type { Answer } from './shared/messages.js';
import { callHook, options, reportFault } from './shared/options.js';
import type { ScriptAddress } from './shared/script-address.js';
import { stylesOf } from './shared/styles.js';
import { Submission } from './submission.js';
import { type Language, languageOf } from './texts/texts.js';

const FORMS = 'form.paymentWidgets';

/** The forms of one checkout in a page. */
export class PaymentPage {
  #address: ScriptAddress;
  #language: Language = languageOf(undefined);
  /** What puts the page back as it was, the last first. */
  readonly #cleanups: (() => void)[] = [];
  readonly #forms = new Map<PaymentForm, FormContext>();
  #submission: Submission | undefined;
  #numbers = 0;
  #removeEarly: () => void = () => undefined;

  constructor(script: ScriptAddress) {
    this.#address = script;
  }

  /** Keeps room, and waits for the page, whose options may stand below the script; then for the form of the shop, and for the gateway. */
  start(): void {
    this.#removeEarly = addStyles(EARLY_STYLES);
    this.#cleanups.push(this.#removeEarly);
    const look = (): void => {
      if (document.querySelector(FORMS)) this.#open();
      else this.#openLater();
    };
    if (document.readyState !== 'loading') {
      look();
      return;
    }
    document.addEventListener('DOMContentLoaded', look);
    this.#cleanups.push(() => document.removeEventListener('DOMContentLoaded', look));
  }

  /** A page of one piece puts its form in when it likes. */
  #openLater(): void {
    const observer = new MutationObserver(() => {
      if (!document.querySelector(FORMS)) return;
      observer.disconnect();
      this.#open();
    });
    observer.observe(document, { childList: true, subtree: true });
    this.#cleanups.push(() => observer.disconnect());
  }

  /** Sends the form in a container, which is named by its classes, parted by dots or blanks. */
  executePayment(container: unknown): void {
    const classes = String(container)
      .split(/[\s.]+/)
      .filter(Boolean);
    for (const [form, context] of this.#forms) {
      const { classList } = form.container;
      if (classes.every((name) => classList.contains(name)))
        return void this.#submission?.submit(context, form, true);
    }
    reportFault({ name: 'WidgetError', message: `there is no container ${String(container)}` });
  }

  /** Takes the forms away, and gives the shop its own back. */
  unload(): void {
    for (const form of this.#forms.keys()) form.remove();
    this.#forms.clear();
    for (const cleanUp of this.#cleanups.splice(0).reverse()) cleanUp();
  }

  #open(): void {
    const { locale, labels, baseUrl } = options();
    this.#address = withBase(this.#address, baseUrl);
    this.#language = languageOf(locale, labels);
    this.#cleanups.push(addStyles(stylesOf(options().style)));
    for (const form of document.querySelectorAll<HTMLFormElement>(FORMS))
      this.#cleanups.push(showLoading(form));
    this.#removeEarly();
    const session = new Session(this.#address.base, this.#address.checkoutId, (answer) =>
      this.#opened(answer),
    );
    const submission = new Submission(session);
    this.#submission = submission;
    this.#cleanups.push(
      () => session.close(),
      () => submission.close(),
    );
  }

  #opened(answer: Answer): void {
    const checkout = answer.body.checkout as Checkout | undefined;
    const places = document.querySelectorAll<HTMLFormElement>(FORMS);
    if (answer.status !== 200 || checkout === undefined) {
      this.#refuse(places, answer);
      return;
    }
    for (const [at, each] of [...places].entries()) this.#render(each, checkout, at === 0);
    const forms = [...this.#forms.keys()];
    focusField(forms, options().autofocus);
    callHook(
      options().onReady,
      forms.map(({ container, brand }) => ({ containerKey: container.id, container, brand: brand() })),
    );
  }

  #refuse(places: Iterable<HTMLFormElement>, answer: Answer): void {
    const outcome = outcomeOf(answer);
    for (const each of places) this.#cleanups.push(place(each, [this.#notice(outcome.is === 'expired')]));
    if (outcome.is === 'expired') reportFault({ name: 'InvalidCheckoutIdError', message: outcome.text });
    else reportFault({ name: 'WidgetError', message: 'the gateway did not answer' });
  }

  #notice(isExpired: boolean): HTMLElement {
    const { tag: lang, dir, texts } = this.#language;
    const text = isExpired ? texts.expired : texts.failed;
    const message = element('div.wpwl-message', { role: 'alert' }, text);
    return element('div.wpwl-container.wpwl-container-error', { lang, dir }, message);
  }

  #render(at: HTMLFormElement, checkout: Checkout, isFirst: boolean): void {
    const context: FormContext = {
      address: this.#address,
      checkout,
      language: this.#language,
      options: options(),
      shopperResultUrl: at.getAttribute('action') ? at.action : undefined,
      nextNumber: () => ++this.#numbers,
      submit: (form) => void this.#submission?.submit(context, form),
    };
    const others = methodForms(context, brandsOf(at), () => callHook(options().onReadyIframeCommunication));
    const stored = isFirst ? storedForm(context) : undefined;
    for (const form of stored ? [stored, ...others] : others) {
      this.#forms.set(form, context);
      form.element.addEventListener('submit', (event) => {
        event.preventDefault();
        context.submit(form);
      });
    }
    const nodes = stored ? withStored(context, stored, others) : others.map(({ container }) => container);
    this.#cleanups.push(place(at, nodes));
  }
}

/** The gateway at another place than the script, where the shop configures it. */
function withBase(address: ScriptAddress, baseUrl: unknown): ScriptAddress {
  if (baseUrl === undefined) return address;
  if (typeof baseUrl === 'string' && /^https?:\/\/.*\/$/.test(baseUrl)) return { ...address, base: baseUrl };
  reportFault({ name: 'WidgetError', message: 'baseUrl must be an address that ends with a slash' });
  return address;
}
