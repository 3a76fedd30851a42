import { element } from './dom.js';

/** What a frame is made of. */
export interface FrameOptions<In> {
  readonly src: string;
  readonly name: string;
  readonly title: string;
  readonly classes?: readonly string[];
  /** Receives the frame's messages. `ready` comes again where a shop moves the frame in its page, for the browser loads it anew. */
  readonly take: (message: In) => void;
}

/** A frame with a page of the gateway. Its messages are accepted by window and origin alone. */
export class Frame<Out extends object, In extends { readonly type: string }> {
  readonly element: HTMLIFrameElement;
  readonly #origin: string;
  readonly #hear: (event: MessageEvent) => void;

  constructor({ src, name, title, classes = [], take }: FrameOptions<In>) {
    this.#origin = new URL(src).origin;
    this.element = element('iframe', { src, name, title, class: classes.join(' ') || undefined });
    this.#hear = ({ source, origin, data }) => {
      if (source !== this.element.contentWindow || source === null || origin !== this.#origin) return;
      if (typeof data === 'object' && data !== null && typeof data.type === 'string') take(data as In);
    };
    addEventListener('message', this.#hear);
  }

  /** Sends a message to the page in the frame, and to no other. */
  tell(message: Out): void {
    this.element.contentWindow?.postMessage(message, this.#origin);
  }

  remove(): void {
    removeEventListener('message', this.#hear);
    this.element.remove();
  }
}

/** Place of a frame among the frames of the page; -1 when it is not in the page. */
export function placeOf(frame: HTMLIFrameElement): number {
  for (let at = 0; at < window.length; at++) if (window[at] === frame.contentWindow) return at;
  return -1;
}
