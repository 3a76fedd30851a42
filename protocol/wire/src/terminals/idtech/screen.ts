import { TerminalFormatError } from '../format-error.js';

/** Longest name of a screen or an object, and longest label of a large button (VP6800 UI commands). */
const MAX_NAME_CHARACTERS = 32;
export const MAX_LABEL_CHARACTERS = 25;

/**
 * Components of a screen, and of what was pressed on it (LCD UI table 2). The features of a text area were not read (from
 * public sources incomplete): text is put on a large button.
 */
export const COMPONENTS = { largeButton: 0x01, longPress: 0x07 } as const;
/** Numbers of a long press: the corner of the screen that was held for a second. */
export const CORNERS = { topLeft: 0x00, topRight: 0x01 } as const;
const CENTRE_OF_SCREEN = 0x02;
const UPDATE_LABEL = 0x00;
const POSITION_BYTES = 4;
const PRINTABLE = /^[\x20-\x7e]*$/;

function terminated(field: string, text: string, longest: number): Buffer {
  if (text.length > longest || !PRINTABLE.test(text)) {
    throw new TerminalFormatError(field, `must be at most ${longest} printable characters`);
  }
  return Buffer.from(`${text}\0`, 'latin1');
}

/** Data of CREATE SCREEN, and of SHOW SCREEN, whose page was not read (from public sources incomplete): the name alone. */
export function encodeScreenName(screen: string): Buffer {
  return terminated('screen name', screen, MAX_NAME_CHARACTERS);
}

/** Data of ADD OBJECT: a label in the middle of the screen. */
export function encodeAddLabel(screen: string, object: string, label: string): Buffer {
  return Buffer.concat([
    encodeScreenName(screen),
    terminated('object name', object, MAX_NAME_CHARACTERS),
    Buffer.of(COMPONENTS.largeButton, CENTRE_OF_SCREEN),
    Buffer.alloc(POSITION_BYTES),
    terminated('label', label, MAX_LABEL_CHARACTERS),
  ]);
}

/** Data of UPDATE OBJECT: a new label. */
export function encodeUpdateLabel(screen: string, object: string, label: string): Buffer {
  return Buffer.concat([
    encodeScreenName(screen),
    terminated('object name', object, MAX_NAME_CHARACTERS),
    Buffer.of(UPDATE_LABEL),
    terminated('label', label, MAX_LABEL_CHARACTERS),
  ]);
}

/** The text of a screen command. */
interface ScreenText {
  readonly screen: string;
  /** Absent where the command names the screen alone. */
  readonly label?: string;
}

/** Reads the data of a screen command: names, and the text behind them. @throws TerminalFormatError */
export function decodeScreenText(command: 'screen' | 'add' | 'update', data: Uint8Array): ScreenText {
  const parts = Buffer.from(data);
  const [screen, afterScreen] = takeText(parts, 0);
  if (command === 'screen') return { screen };
  const [, afterObject] = takeText(parts, afterScreen);
  const [label] = takeText(parts, afterObject + (command === 'add' ? 2 + POSITION_BYTES : 1));
  return { screen, label };
}

function takeText(bytes: Buffer, from: number): readonly [text: string, next: number] {
  const end = bytes.indexOf(0, from);
  if (from > bytes.length || end < 0) throw new TerminalFormatError('text', 'must end with a zero');
  return [bytes.toString('latin1', from, end), end + 1];
}

/** What was pressed: a component of a screen, and which of its kind. */
interface PressedObject {
  /** One of {@link COMPONENTS}. */
  readonly component: number;
  /** For a long press one of {@link CORNERS}. */
  readonly number: number;
}

const SCREEN_ID_BYTES = 2;
const OBJECT_ID_BYTES = 2;

/** Data of an object event (61-FF) on the first screen: screen id, object id, their names. */
export function encodeObjectEvent({ component, number }: PressedObject, screen = '', object = ''): Buffer {
  return Buffer.concat([
    Buffer.alloc(SCREEN_ID_BYTES),
    Buffer.of(component, number),
    encodeScreenName(screen),
    terminated('object name', object, MAX_NAME_CHARACTERS),
  ]);
}

/**
 * Reads the object id of an object event. Which names stand behind that of a long press was not read (from public sources
 * incomplete), and none is looked at.
 * @throws TerminalFormatError
 */
export function decodeObjectEvent(data: Uint8Array): PressedObject {
  const [component, number] = data.subarray(SCREEN_ID_BYTES, SCREEN_ID_BYTES + OBJECT_ID_BYTES);
  if (component === undefined || number === undefined) {
    throw new TerminalFormatError('object event', 'must begin with the ids of screen and object');
  }
  return { component, number };
}
