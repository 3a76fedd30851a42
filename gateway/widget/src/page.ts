import { outcomeOf } from './answer.js';
import { openMethod } from './forms/accordion.js';
import type { FormContext, PaymentForm } from './forms/context.js';
import { EARLY_STYLES, keepRoom, showLoading } from './loading.js';
import { arranged, brandsOf, focusField, methodForms, place, storedForm } from './render.js';
import { Session } from './session.js';
import type { Checkout } from './shared/checkout.js';
import { addStyles, element } from './shared/dom.js';
import type { Answer } from './shared/messages.js';
import { callHook, options, reportFault } from './shared/options.js';
import type { ScriptAddress } from './shared/script-address.js';
import { stylesOf } from './shared/styles.js';
import { Submission } from './submission.js';
import { type Language, withOwnTexts } from './texts/texts.js';

const FORMS = 'form.paymentWidgets';

/** The forms of one checkout in a page. */
export class PaymentPage {
  #address: ScriptAddress;
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
    const kept = new Set<HTMLFormElement>();
    const parser = new MutationObserver(() => {
      for (const form of document.querySelectorAll<HTMLFormElement>(FORMS)) {
        if (kept.has(form)) continue;
        kept.add(form);
        this.#cleanups.push(keepRoom(form));
      }
    });
    parser.observe(document, { childList: true, subtree: true });
    document.addEventListener('DOMContentLoaded', () => parser.disconnect());
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
      if (!classes.every((name) => classList.contains(name))) continue;
      openMethod(form.container);
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
    this.#cleanups.push(addStyles(stylesOf(options().style)));
    for (const form of document.querySelectorAll<HTMLFormElement>(FORMS))
      this.#cleanups.push(showLoading(form));
    this.#removeEarly();
    const { base, checkoutId } = this.#address;
    const session = new Session(base, checkoutId, locale, (answer, language) =>
      this.#opened(answer, withOwnTexts(language, labels)),
    );
    const submission = new Submission(session);
    this.#submission = submission;
    this.#cleanups.push(
      () => session.close(),
      () => submission.close(),
    );
  }

  #opened(answer: Answer, language: Language): void {
    const checkout = answer.body.checkout as Checkout | undefined;
    const places = document.querySelectorAll<HTMLFormElement>(FORMS);
    if (answer.status !== 200 || checkout === undefined) {
      this.#refuse(places, answer, language);
      return;
    }
    for (const [at, each] of [...places].entries()) this.#render(each, { checkout, language }, at === 0);
    const forms = [...this.#forms.keys()];
    focusField(forms, options().autofocus);
    callHook(
      options().onReady,
      forms.map(({ container, brand }) => ({ containerKey: container.id, container, brand: brand() })),
    );
  }

  #refuse(places: Iterable<HTMLFormElement>, answer: Answer, language: Language): void {
    const outcome = outcomeOf(answer);
    for (const each of places)
      this.#cleanups.push(place(each, [noticeOf(language, outcome.is === 'expired')]));
    if (outcome.is === 'expired') reportFault({ name: 'InvalidCheckoutIdError', message: outcome.text });
    else reportFault({ name: 'WidgetError', message: 'the gateway did not answer' });
  }

  #render(at: HTMLFormElement, known: Pick<FormContext, 'checkout' | 'language'>, isFirst: boolean): void {
    const context: FormContext = {
      ...known,
      address: this.#address,
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
    this.#cleanups.push(place(at, arranged(context, stored, others)));
  }
}

/** Why there is no form. */
function noticeOf({ tag: lang, dir, texts }: Language, isExpired: boolean): HTMLElement {
  const text = isExpired ? texts.expired : texts.failed;
  const message = element('div.wpwl-message', { role: 'alert' }, text);
  return element('div.wpwl-container.wpwl-container-error', { lang, dir }, message);
}

/** The gateway at another place than the script, where the shop configures it. */
function withBase(address: ScriptAddress, baseUrl: unknown): ScriptAddress {
  if (baseUrl === undefined) return address;
  if (typeof baseUrl === 'string' && /^https?:\/\/.*\/$/.test(baseUrl)) return { ...address, base: baseUrl };
  reportFault({ name: 'WidgetError', message: 'baseUrl must be an address that ends with a slash' });
  return address;
}
