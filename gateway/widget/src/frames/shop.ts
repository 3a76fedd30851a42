/** The page around a frame of the gateway: bound at its first message, to one window and one origin. */
export class Shop<In extends { readonly type: string }, Out> {
  #origin: string | undefined;

  /** @param take gets what the page sends; its first message is of the type `open` */
  constructor(take: (message: In) => void) {
    addEventListener('message', ({ source, origin, data }: MessageEvent) => {
      if (source !== parent || parent === window || !isMessage(data)) return;
      if (this.#origin === undefined && data.type === 'open') this.#origin = origin;
      if (origin === this.#origin) take(data as unknown as In);
    });
    parent.postMessage({ type: 'ready' }, '*');
  }

  /** Sends a message to the page; dropped before the page's first message. */
  tell(message: Out): void {
    if (this.#origin !== undefined) parent.postMessage(message, this.#origin);
  }
}

/** Is it a message of ours? */
export function isMessage(data: unknown): data is { readonly type: string } {
  return typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string';
}

/** Is the sender another frame of the gateway, in the same page? */
export function isFromSibling({ source, origin }: MessageEvent): boolean {
  // Windows of our origin alone let us read their parent.
  return origin === location.origin && (source as Window | null)?.parent === parent;
}
