import { CONTROL_ERRORS } from './error-table.js';

/** Codes of the REST control's refusals. */
export type ControlErrorCode = keyof typeof CONTROL_ERRORS;

/** A request that cannot be carried out; the message is for the person who made it. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly statusCode: number;
  readonly code: ControlErrorCode;

  constructor(code: ControlErrorCode, message: string) {
    super(message);
    this.statusCode = CONTROL_ERRORS[code][2];
    this.code = code;
  }
}
