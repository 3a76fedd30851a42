import { CodedError } from '../errors/coded-error.js';
import { ISO8583_ERRORS } from '../errors/error-table.js';

/** Why a message cannot be written or read. */
type Iso8583ErrorCode = keyof typeof ISO8583_ERRORS;

/** A message that is not of its specification. The message text names the field and never its value. */
export class Iso8583Error extends CodedError<Iso8583ErrorCode> {
  /** Number of the field; 0 for the message type, 1 for the bitmap, `undefined` for the message as a whole. */
  readonly field: number | undefined;

  constructor(code: Iso8583ErrorCode, field: number | undefined, detail?: string) {
    const place =
      field === undefined
        ? 'message'
        : field === 0
          ? 'message type'
          : field === 1
            ? 'bitmap'
            : `field ${field}`;
    super(code, `${code}: ${place}: ${detail ?? ISO8583_ERRORS[code][0]}`);
    this.field = field;
  }
}
