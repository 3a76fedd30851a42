import type { PORT_ERRORS } from '../errors/error-table.js';

/** Why a port could not be opened, for what to do about it. */
type PortOpenReason = keyof typeof PORT_ERRORS;

/** A port could not be opened. The message names the path and what to do. */
export class PortOpenError extends Error {
  override readonly name = 'PortOpenError';
  readonly path: string;
  readonly reason: PortOpenReason;

  constructor(path: string, reason: PortOpenReason, message: string) {
    super(message);
    this.path = path;
    this.reason = reason;
  }
}

const REASONS: readonly {
  readonly pattern: RegExp;
  readonly reason: PortOpenReason;
  readonly text: string;
}[] = [
  {
    pattern: /no such file|file not found|ENOENT|ENOTFOUND|no such device|ENODEV/i,
    reason: 'missing',
    text: 'does not exist: is the terminal plugged in, and is the path of its configuration right?',
  },
  {
    pattern: /permission denied|access denied|EACCES|EPERM/i,
    reason: 'permission',
    text: 'may not be opened by this user: "tillbridge-agent doctor" names the group or udev rule that is missing',
  },
  {
    pattern: /cannot lock|temporarily unavailable|EBUSY|EAGAIN|in use/i,
    reason: 'busy',
    text: 'is in use by another program',
  },
  {
    pattern: /ECONNREFUSED/i,
    reason: 'missing',
    text: 'refuses connections: is the terminal switched on, and is its port right?',
  },
  {
    pattern: /EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/i,
    reason: 'missing',
    text: 'cannot be reached: is the terminal on this network?',
  },
];

/** The error of a port whose opening failed with `cause`. */
export function portOpenError(path: string, cause: Error): PortOpenError {
  const known = REASONS.find(({ pattern }) => pattern.test(cause.message));
  if (known) return new PortOpenError(path, known.reason, `port ${path} ${known.text}`);
  return new PortOpenError(path, 'other', `port ${path} could not be opened: ${cause.message}`);
}
