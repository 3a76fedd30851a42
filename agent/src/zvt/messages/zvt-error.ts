import { CodedError } from '@tillbridge/wire/errors/coded-error.js';
import type { ZVT_RULES } from '../../errors/error-table.js';

/** Why a message of a till cannot be taken. */
export type ZvtRule = keyof typeof ZVT_RULES;

/** A message of a till breaks a rule of ZVT; the text names the bitmap or the rule, never a value. */
export class ZvtError extends CodedError<ZvtRule> {}
