/** `NOT_SEEN` as `not-seen`. */
type Word<N extends string> = N extends `${infer Head}_${infer Rest}`
  ? `${Lowercase<Head>}-${Word<Rest>}`
  : Lowercase<N>;
type Named<E> = Exclude<keyof E & string, `${string}_UNSPECIFIED`>;

/** The values of an enumeration of `bridge.proto` under our words for them: `NOT_SEEN` is `not-seen`. The unspecified value has none. */
type WireWords<E> = { readonly [N in Named<E> as Word<N>]: E[N] };

/** Returns the values of an enumeration of `bridge.proto` by their words. */
export function wireWords<E extends Readonly<Record<string, string | number>>>(enumeration: E): WireWords<E> {
  const named = Object.entries(enumeration).filter(([name]) => !name.endsWith('_UNSPECIFIED'));
  const words = named.map(([name, value]) => [name.toLowerCase().replaceAll('_', '-'), value]);
  return Object.fromEntries(words);
}

/** A function that gives the word of a value; `otherwise` for the unspecified one, and for those that this build does not know. */
export function wordOfWire<E extends Readonly<Record<string, string | number>>, Other extends string>(
  enumeration: E,
  otherwise: Other,
): (value: number) => (keyof WireWords<E> & string) | Other {
  const entries = Object.entries(wireWords(enumeration)) as [keyof WireWords<E> & string, unknown][];
  const words = new Map(entries.map(([word, value]) => [value, word]));
  return (value) => words.get(value) ?? otherwise;
}
