import { FAULT_NAMES, MAX_FAULT_TIMES } from '../faults/fault.js';
import { MAX_FAULT_DELAY_MS, MAX_FAULTS } from '../faults/scheduled-fault.js';

/** What a fault may contain. */
export const FAULT_PROPERTIES = {
  name: { type: 'string', enum: FAULT_NAMES },
  skip: { type: 'integer', minimum: 0, maximum: MAX_FAULT_TIMES, default: 0 },
  times: { type: 'integer', minimum: 1, maximum: MAX_FAULT_TIMES, default: 1 },
  delayMs: { type: 'integer', minimum: 0, maximum: MAX_FAULT_DELAY_MS, default: 1_000 },
  seed: { type: 'integer', minimum: 0, maximum: 0xffffffff, default: 1 },
  ratePercent: { type: 'integer', minimum: 1, maximum: 100, default: 100 },
} as const;

/** A list of faults. */
export const FAULTS_BODY = {
  type: 'array',
  maxItems: MAX_FAULTS,
  items: { type: 'object', required: ['name'], additionalProperties: false, properties: FAULT_PROPERTIES },
} as const;
