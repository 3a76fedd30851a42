/** A choice of elements with the few methods that the hooks of shops call; jQuery is not brought along. */
class Query {
  readonly length: number;
  readonly #elements: readonly Element[];

  constructor(elements: readonly Element[]) {
    this.#elements = elements;
    this.length = elements.length;
    Object.assign(this, elements);
  }

  [Symbol.iterator](): Iterator<Element> {
    return this.#elements[Symbol.iterator]();
  }
  each(visit: (this: Element, at: number, element: Element) => unknown): this {
    this.#elements.forEach((element, at) => {
      visit.call(element, at, element);
    });
    return this;
  }
  get(at: number): Element | undefined {
    return this.#elements[at];
  }
  first(): Query {
    return new Query(this.#elements.slice(0, 1));
  }
  find(selector: string): Query {
    return new Query(this.#elements.flatMap((element) => [...element.querySelectorAll(selector)]));
  }
  closest(selector: string): Query {
    return new Query(this.#elements.flatMap((element) => element.closest(selector) ?? []));
  }
  parent(): Query {
    return new Query(this.#elements.flatMap((element) => element.parentElement ?? []));
  }
  is(selector: string): boolean {
    return this.#elements.some((element) => element.matches(selector));
  }
  before(content: unknown): this {
    return this.#put(content, (element, nodes) => element.before(...nodes));
  }
  after(content: unknown): this {
    return this.#put(content, (element, nodes) => element.after(...nodes));
  }
  append(content: unknown): this {
    return this.#put(content, (element, nodes) => element.append(...nodes));
  }
  prepend(content: unknown): this {
    return this.#put(content, (element, nodes) => element.prepend(...nodes));
  }
  appendTo(target: unknown): this {
    query(target).append(this);
    return this;
  }
  insertBefore(target: unknown): this {
    query(target).before(this);
    return this;
  }
  insertAfter(target: unknown): this {
    query(target).after(this);
    return this;
  }
  remove(): this {
    return this.each((_, element) => element.remove());
  }
  hide(): this {
    return this.css('display', 'none');
  }
  show(): this {
    return this.css('display', '');
  }
  css(name: string, value: string): this {
    return this.each((_, element) => (element as HTMLElement).style.setProperty(name, value));
  }
  addClass(names: string): this {
    return this.each((_, { classList }) => classList.add(...names.split(/\s+/)));
  }
  removeClass(names: string): this {
    return this.each((_, { classList }) => classList.remove(...names.split(/\s+/)));
  }
  hasClass(name: string): boolean {
    return this.is(`.${name}`);
  }
  attr(name: string, value: unknown): this {
    return this.each((_, element) => element.setAttribute(name, String(value)));
  }
  prop(name: string, value?: unknown): unknown {
    if (value === undefined) return Reflect.get(this.#elements[0] ?? {}, name);
    return this.each((_, element) => Reflect.set(element, name, value));
  }
  text(text?: string): string | this {
    if (text === undefined) return this.#elements.map(({ textContent }) => textContent ?? '').join('');
    return this.each((_, element) => {
      element.textContent = text;
    });
  }
  html(html?: string): string | this {
    if (html === undefined) return this.#elements[0]?.innerHTML ?? '';
    return this.each((_, element) => {
      element.innerHTML = html;
    });
  }
  val(value?: string): string | this | undefined {
    if (value === undefined) return (this.#elements[0] as HTMLInputElement | undefined)?.value;
    return this.each((_, element) => {
      (element as HTMLInputElement).value = value;
    });
  }
  on(types: string, listener: (this: Element, event: Event) => unknown): this {
    return this.each((_, element) => {
      for (const type of types.split(' '))
        element.addEventListener(type, (event) => {
          if (listener.call(element, event) === false) event.preventDefault();
        });
    });
  }
  click(listener?: (event: Event) => unknown): this {
    return listener ? this.on('click', listener) : this.trigger('click');
  }
  trigger(type: string): this {
    return this.each((_, element) => {
      if (type === 'click') (element as HTMLElement).click();
      else element.dispatchEvent(new Event(type, { bubbles: true }));
    });
  }
  ready(act: () => unknown): this {
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', act);
    else act();
    return this;
  }

  /** Nodes stand at each place: moved to the first, copied to the others. */
  #put(content: unknown, put: (element: Element, nodes: readonly Node[]) => void): this {
    this.#elements.forEach((element, at) => {
      const nodes = nodesOf(content);
      put(element, at === 0 ? nodes : nodes.map((node) => node.cloneNode(true)));
    });
    return this;
  }
}

/** HTML of a shop's own script, a node, or a choice. */
function nodesOf(content: unknown): readonly Node[] {
  if (content instanceof Node) return [content];
  if (content instanceof Query) return [...content];
  if (typeof content !== 'string') return [];
  const template = document.createElement('template');
  template.innerHTML = content;
  return [...template.content.childNodes];
}

function query(wanted: unknown): Query {
  if (wanted instanceof Query) return wanted;
  if (typeof wanted === 'function') return new Query([]).ready(wanted as () => unknown);
  if (wanted instanceof Element) return new Query([wanted]);
  if (typeof wanted !== 'string') return new Query([]);
  if (!wanted.trim().startsWith('<')) return new Query([...document.querySelectorAll(wanted)]);
  return new Query(nodesOf(wanted).filter((node) => node instanceof Element));
}

/** Gives the page a `$` where it has none: examples for this family of widgets call it in hooks. */
export function offerQuery(): void {
  const page = window as { $?: unknown; jQuery?: unknown };
  if (page.jQuery === undefined && page.$ === undefined) page.$ = query;
}
