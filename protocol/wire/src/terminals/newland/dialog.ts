import { TerminalFormatError } from '../format-error.js';
import { BodyReader, counted, uint16 } from './body-reader.js';

/** Fields that the cardholder may enter (INPUT DIALOG). */
export const DIALOG_FIELDS = { pan: 4, expiry: 5, cvv: 6 } as const;
/** How an expiry date is keyed in. */
export const EXPIRY_FORMATS = { monthYear: 1, yearMonth: 2 } as const;

/** One field of INPUT DIALOG (6k). */
interface DialogField {
  readonly field: number;
  readonly format: number;
  readonly minLength: number;
  readonly maxLength: number;
  readonly timeoutSeconds: number;
}

/** Field ids of the answer begin with this. */
const FIELD_CLASS = 0xdf;
/** Between a field's id and its length; the published host passes over them (from public sources incomplete). */
const UNKNOWN_BYTES = Buffer.alloc(2);
const IN_CLEAR = 0;

/** The body of INPUT DIALOG: no further data, then the fields. */
export function encodeDialog(fields: readonly DialogField[]): Buffer {
  const encoded = fields.map(({ field, format, minLength, maxLength, timeoutSeconds }) =>
    Buffer.concat([Buffer.of(field, IN_CLEAR, format, minLength, maxLength), uint16(timeoutSeconds)]),
  );
  return Buffer.concat([uint16(0), Buffer.of(fields.length), ...encoded]);
}

/** @throws TerminalFormatError */
export function decodeDialog(body: Uint8Array): DialogField[] {
  const reader = new BodyReader(body);
  reader.counted('data');
  const fields: DialogField[] = [];
  for (let left = reader.byte('count of fields'); left > 0; left -= 1) {
    const field = reader.byte('field');
    reader.byte('mode');
    const [format, minLength, maxLength] = [reader.byte('format'), reader.byte('least'), reader.byte('most')];
    fields.push({ field, format, minLength, maxLength, timeoutSeconds: reader.uint16('timeout') });
  }
  reader.end();
  return fields;
}

/** The data of the answer (6l) behind its code: what was keyed in, by field. @throws TerminalFormatError */
export function encodeDialogAnswer(values: ReadonlyMap<number, string>): Buffer {
  const encoded = [...values].map(([field, text]) => {
    if (text.length > 0xff) throw new TerminalFormatError('value', 'has more than 255 characters');
    const value = Buffer.from(text, 'latin1');
    return Buffer.concat([Buffer.of(FIELD_CLASS, field), UNKNOWN_BYTES, Buffer.of(value.length), value]);
  });
  return counted(Buffer.concat(encoded));
}

/** @throws TerminalFormatError */
export function decodeDialogAnswer(data: Uint8Array): ReadonlyMap<number, string> {
  const reader = new BodyReader(new BodyReader(data).counted('fields'));
  const values = new Map<number, string>();
  while (reader.left > 0) {
    if (reader.byte('field') !== FIELD_CLASS) throw new TerminalFormatError('field', 'must begin with DF');
    const field = reader.byte('field');
    reader.bytes('field', UNKNOWN_BYTES.length);
    values.set(field, reader.text('value', reader.byte('length')));
  }
  return values;
}
