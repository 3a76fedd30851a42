import { framePage } from './shared/cache-version.js';
import { Frame, placeOf } from './shared/frame.js';
import type { Answer, FromSession, Parameter, ToSession } from './shared/messages.js';
import type { Language } from './texts/texts.js';

/** Speaks with the gateway by a hidden frame of its origin: the page of the shop needs no permission for requests. */
export class Session {
  readonly #frame: Frame<ToSession, FromSession>;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #requests = 0;

  /**
   * @param locale as the shop sets it
   * @param opened gets the checkout as the gateway lets it be shown, or why there is none, and the texts of the language
   */
  constructor(
    base: string,
    checkoutId: string,
    locale: unknown,
    opened: (answer: Answer, language: Language) => void,
  ) {
    this.#frame = new Frame({
      src: framePage(base, 'session'),
      name: 'wpwl-session',
      title: 'Payment',
      classes: ['wpwl-iframe'],
      take: (message) => {
        if (message.type === 'ready')
          this.#frame.tell({ type: 'open', checkoutId, ...(typeof locale === 'string' && { locale }) });
        else if (message.type === 'opened') opened(message.answer, message.language);
        else if (message.type === 'submitted') this.#answered(message.request, message.answer);
      },
    });
    this.#frame.element.hidden = true;
    this.#frame.element.setAttribute('aria-hidden', 'true');
    document.body.append(this.#frame.element);
  }

  /** Sends parameters, and the values in the frames of fields. */
  submit(
    resource: 'payment' | 'registration',
    parameters: readonly Parameter[],
    frames: readonly HTMLIFrameElement[],
  ): Promise<Answer> {
    const request = ++this.#requests;
    return new Promise((resolve) => {
      this.#waiting.set(request, resolve);
      this.#frame.tell({ type: 'submit', request, resource, parameters, fields: frames.map(placeOf) });
    });
  }

  close(): void {
    this.#frame.remove();
  }

  #answered(request: number, answer: Answer): void {
    this.#waiting.get(request)?.(answer);
    this.#waiting.delete(request);
  }
}
