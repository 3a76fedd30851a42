import { NamedError } from '@tillbridge/wire/errors/coded-error.js';

/** A table of data in the home is not what it must be; the message names the place in it. */
export class HomeTableError extends NamedError {}
