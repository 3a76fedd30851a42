/** Put in by the build: alpha-2 codes of all countries (ISO 3166-1), one after the other. */
declare const __COUNTRIES__: string;

/** The countries with their names, in the order of the language. @param tag BCP 47 */
export function countriesIn(tag: string): readonly (readonly [code: string, name: string])[] {
  const names = new Intl.DisplayNames(tag, { type: 'region' });
  const { compare } = new Intl.Collator(tag);
  const codes = __COUNTRIES__.match(/../g) ?? [];
  return codes
    .map((code) => [code, names.of(code) ?? code] as const)
    .sort(([, one], [, other]) => compare(one, other));
}
