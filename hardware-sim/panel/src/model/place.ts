/** An entry of a record that a place points to. */
export interface PlaceEntry {
  readonly kind: 'frame' | 'apdu' | 'step';
  /** Number of the frame or exchange; of a step, that of its transaction, a dot and its own. */
  readonly number: string;
}

/** The views of the dock. */
export const VIEWS = [
  'wire',
  'kernel',
  'keys',
  'faults',
  'scenarios',
  'recordings',
  'network',
  'receipts',
] as const;

/** A view of the dock. */
export type View = (typeof VIEWS)[number];

/** What the page shows, as its address has it. */
export interface Place {
  /** Id of a terminal; empty: the first one. */
  readonly terminal: string;
  readonly view: View;
  /** Id of a sale. */
  readonly sale?: string;
  readonly entry?: PlaceEntry;
}

/** The page without an address. */
export const NO_PLACE: Place = { terminal: '', view: 'wire' };

/**
 * The place of a fragment, such as `#terminal/1003/sale/261122-152828-3/frame/12` or `#terminal/1003/faults`. What cannot be read is left out.
 */
export function readPlace(hash: string): Place {
  const parts = hash.replace(/^#/, '').split('/').map(decoded);
  if (parts[0] !== 'terminal' || !parts[1]) return NO_PLACE;
  const [, terminal, ...rest] = parts;
  const view = VIEWS.find((each) => each === rest[0]);
  if (view) rest.shift();
  const named = new Map<string, string>();
  for (let at = 0; at + 1 < rest.length; at += 2) named.set(rest[at] ?? '', rest[at + 1] ?? '');
  const sale = named.get('sale');
  const kind = (['frame', 'apdu', 'step'] as const).find((each) => named.has(each));
  return {
    terminal,
    view: view ?? 'wire',
    ...(sale !== undefined && { sale }),
    ...(kind && { entry: { kind, number: named.get(kind) ?? '' } }),
  };
}

/** The fragment of a place. */
export function placeHash({ terminal, view, sale, entry }: Place): string {
  const parts = ['terminal', terminal];
  if (view !== 'wire') parts.push(view);
  if (sale !== undefined) parts.push('sale', sale);
  if (entry) parts.push(entry.kind, entry.number);
  return `#${parts.map(encodeURIComponent).join('/')}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
