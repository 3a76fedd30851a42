/** A request that cannot be carried out; the message is for the person who made it. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly statusCode: number;
  readonly code: string;

  constructor(statusCode: number, code: string, message: string) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
  }
}
