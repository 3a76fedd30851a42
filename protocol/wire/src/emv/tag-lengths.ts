/** How many bytes a value has. */
interface LengthRule {
  readonly min: number;
  readonly max: number;
}

/** Tags of one length (EMV Book 3 Annex A; DF81xx: EMV Contactless Book C-2 Annex A). */
const FIXED: Readonly<Record<number, string>> = {
  1: '87 88 8F 9C 5F34 5F36 5F57 9F11 9F14 9F17 9F22 9F23 9F27 9F35 9F39 9F3D 9F44',
  2: '82 8A 9B 5F28 5F2A 5F30 5F55 9F07 9F08 9F09 9F13 9F15 9F1A 9F25 9F36 9F3C 9F42 9F45 9F4D',
  3: '42 9A 5F24 5F25 5F56 9F21 9F33 9F34',
  4: '81 9F04 9F18 9F1B 9F37 9F3A',
  5: '95 9F0D 9F0E 9F0F 9F40 DF8120 DF8121 DF8122',
  6: '89 9F01 9F02 9F03',
  8: '9F1C 9F1E 9F26',
  15: '9F16',
  20: '98',
};

/** Tags whose length lies between two. */
const BETWEEN: readonly (readonly [tag: string, min: number, max: number])[] = [
  ['4F', 5, 16],
  ['50', 1, 16],
  ['57', 0, 19],
  ['5A', 0, 10],
  ['84', 5, 16],
  ['8E', 10, 252],
  ['91', 8, 16],
  ['9D', 5, 16],
  ['5F20', 2, 26],
  ['5F2D', 2, 8],
  ['9F05', 1, 32],
  ['9F06', 5, 16],
  ['9F10', 0, 32],
  ['9F12', 1, 16],
  ['9F1D', 1, 8],
  ['9F41', 2, 4],
  ['9F43', 1, 4],
  ['9F4C', 2, 8],
  // Terminal transaction qualifiers, or of a magstripe over contactless a PUNATC of 2.
  ['9F66', 2, 4],
];

const RULES: ReadonlyMap<string, LengthRule> = new Map<string, LengthRule>([
  ...Object.entries(FIXED).flatMap(([bytes, tags]) =>
    tags.split(' ').map((tag): [string, LengthRule] => [tag, { min: Number(bytes), max: Number(bytes) }]),
  ),
  ...BETWEEN.map(([tag, min, max]): [string, LengthRule] => [tag, { min, max }]),
]);

/** Why a value cannot be that of its tag, in words; undefined where its length fits or EMV gives none. Pure. */
export function lengthFault(tag: string, length: number): string | undefined {
  const rule = RULES.get(tag);
  if (rule === undefined || (length >= rule.min && length <= rule.max)) return undefined;
  const wanted = rule.min === rule.max ? `${rule.min}` : `${rule.min} to ${rule.max}`;
  const side =
    length < rule.min ? 'too short: a part is missing' : 'too long: it may be more than this value';
  return `${length} ${length === 1 ? 'byte' : 'bytes'}, but tag ${tag} has ${wanted}; ${side}`;
}
