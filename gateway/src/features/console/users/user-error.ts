import { USER_ERRORS } from '../../../kernel/errors/error-table.js';

/** Why something cannot be done with a user. */
export type UserErrorCode = keyof typeof USER_ERRORS;

/** What an operator or administrator requests on a user cannot be done. Exit code 2. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly code: UserErrorCode;

  constructor(code: UserErrorCode) {
    super(USER_ERRORS[code].join(': '));
    this.code = code;
  }
}
