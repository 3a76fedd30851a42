/** Texts that the device can show, by their numbers; it shows no others. */
export const DISPLAY_STRINGS = {
  approved: { id: 0x03, text: 'APPROVED' },
  declined: { id: 0x07, text: 'DECLINED' },
  insertCard: { id: 0x0b, text: 'INSERT CARD' },
  pleaseWait: { id: 0x0e, text: 'PLEASE WAIT' },
  removeCard: { id: 0x10, text: 'REMOVE CARD' },
  useChipReader: { id: 0x11, text: 'USE CHIP READER' },
  useMagstripe: { id: 0x12, text: 'USE MAGSTRIPE' },
  tryAgain: { id: 0x13, text: 'TRY AGAIN' },
  welcome: { id: 0x14, text: 'WELCOME' },
  onlyOneCard: { id: 0x19, text: 'PRESENT ONE CARD ONLY' },
  presentCard: { id: 0x25, text: 'TAP, INSERT or SWIPE CARD' },
  timeout: { id: 0x27, text: 'TIMEOUT' },
  canceled: { id: 0x2c, text: 'CANCELED' },
} as const;

/** Labels of buttons, by their default numbers; a shop can load others into the device. */
export const INTERFACE_STRINGS = { options: { id: 0x0023, text: 'Options' } } as const;

/** The label of a number, blank for one that is not used here. */
export function interfaceText(id: number): string {
  return Object.values(INTERFACE_STRINGS).find((label) => label.id === id)?.text ?? '';
}

/** Name of a text. */
export type DisplayStringName = keyof typeof DISPLAY_STRINGS;

/** Words that choose a text, the first that fits. */
const CHOICES: readonly (readonly [RegExp, DisplayStringName])[] = [
  [/remove/i, 'removeCard'],
  [/declin|refus|not approved/i, 'declined'],
  [/approv/i, 'approved'],
  [/cancel/i, 'canceled'],
  [/time ?out/i, 'timeout'],
  [/wait/i, 'pleaseWait'],
];

/** The device's own text that comes nearest to another; its welcome where none does. */
export function nearestDisplayString(text: string): DisplayStringName {
  return CHOICES.find(([words]) => words.test(text))?.[1] ?? 'welcome';
}

const BY_ID: ReadonlyMap<number, string> = new Map(
  Object.values(DISPLAY_STRINGS).map(({ id, text }) => [id, text]),
);

/** The text of a number; undefined for one that is not used here. */
export function displayText(id: number): string | undefined {
  return BY_ID.get(id);
}
