import { type StatusName, statusCode } from '@tillbridge/protocol/terminals/abecs/statuses.js';

/** The command ends with this status (ABECS 2.12 §3.1.1). */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: number;

  constructor(status: StatusName) {
    super(status);
    this.status = statusCode(status);
  }
}
