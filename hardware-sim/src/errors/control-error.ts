import { CodedError } from '@tillbridge/wire/errors/coded-error.js';
import { CONTROL_ERRORS } from './error-table.js';

/** Codes of the REST control's refusals. */
export type ControlErrorCode = keyof typeof CONTROL_ERRORS;

/** A request that cannot be carried out; the message is for the person who made it. */
export class ControlError extends CodedError<ControlErrorCode> {
  readonly statusCode: number;

  constructor(code: ControlErrorCode, message: string) {
    super(code, message);
    this.statusCode = CONTROL_ERRORS[code][2];
  }
}
