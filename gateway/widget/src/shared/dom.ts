/** A child of an element: text stands as text. */
type Child = Node | string | undefined;

/** Attributes by name; `undefined` leaves one out. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** An element of a tag, its classes after dots as in a selector: `div.wpwl-group`. */
export function element<K extends keyof HTMLElementTagNameMap>(
  selector: K | `${K}.${string}`,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const [tag = 'div', ...classes] = selector.split('.');
  const made = document.createElement(tag) as HTMLElementTagNameMap[K];
  if (classes.length > 0) made.className = classes.join(' ');
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A hidden input. */
export function hidden(name: string, value = ''): HTMLInputElement {
  return element('input', { type: 'hidden', name, value });
}

/** Adds rules to the page. A sheet that is made so needs no permission of a Content-Security-Policy. Returns what removes them. */
export function addStyles(css: string): () => void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  // Before the shop's own rules of this kind, so that these win.
  document.adoptedStyleSheets = [sheet, ...document.adoptedStyleSheets];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
  };
}

/** Does the shop's design show dark where this element stands? */
export function isDark(at: Element): boolean {
  const schemes = getComputedStyle(at).colorScheme.split(' ');
  if (!schemes.includes('dark')) return false;
  return !schemes.includes('light') || matchMedia('(prefers-color-scheme: dark)').matches;
}
