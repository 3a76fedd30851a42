import { CodedError } from '@tillbridge/wire/errors/coded-error.js';
import type { INVENTORY_ERRORS } from '../../kernel/errors/error-table.js';

/** Code of {@link InventoryError}. */
type InventoryErrorCode = keyof typeof INVENTORY_ERRORS;

/** The inventory cannot be changed so; nothing was written. The message names what is wrong. Exit code 2. */
export class InventoryError extends CodedError<InventoryErrorCode> {}
