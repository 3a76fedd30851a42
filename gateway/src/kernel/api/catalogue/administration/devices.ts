import { characters, digits, integer, oneOf } from '../rows/format.js';
import { optional } from '../rows/parameter.js';

const ENTITY = optional('entityId', characters('0-9a-f', 32, 32));
const SERIAL = characters('A-Za-z0-9-', 1, 64);

/** An addition of ours: what a list of devices may be limited to. */
export const DEVICE_LIST_PARAMETERS = [
  ENTITY,
  optional('limit', integer(1, 500)),
  optional('after', SERIAL),
] as const;

/** An addition of ours: whose device is meant. */
export const DEVICE_PARAMETERS = [ENTITY] as const;

/** An addition of ours: the place at which a device is put to use. */
export const DEVICE_ASSIGNMENT_PARAMETERS = [
  ENTITY,
  optional('agentId', characters('A-Za-z0-9._-', 1, 64)),
  optional('terminalId', digits(1, 32)),
] as const;

/** An addition of ours: why nothing is taken from a device. */
export const DEVICE_SUSPENSION_PARAMETERS = [ENTITY, optional('tampered', oneOf('true', 'false'))] as const;

/** An addition of ours: the device from stock that takes a place. */
export const DEVICE_SWAP_PARAMETERS = [ENTITY, optional('replacement', SERIAL)] as const;
