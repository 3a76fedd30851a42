import { CodedError } from '@tillbridge/wire/errors/coded-error.js';
import type { NEXO_RULES } from '../../errors/error-table.js';

/** Why a message of a till cannot be taken. */
export type NexoRule = keyof typeof NEXO_RULES;

/** A message of a till breaks a rule of nexo Retailer; the message names the field and the rule, never a value or a key. */
export class NexoError extends CodedError<NexoRule> {}
