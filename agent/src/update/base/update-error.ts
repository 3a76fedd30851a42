import { NamedError } from '@tillbridge/wire/errors/coded-error.js';

/** A step of an update cannot be done; the message states why. */
export class UpdateError extends NamedError {}

/** A command of an update was called where it cannot work; the message states what to do. */
export class UpdateUsageError extends NamedError {}

/** Another update works in the same folder. */
export class UpdateBusyError extends NamedError {}
