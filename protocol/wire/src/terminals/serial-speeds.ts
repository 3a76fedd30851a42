import type { DeviceType } from './device-types.js';

/** Speed of each model's serial line, bits per second, unless its owner set another. */
export const SERIAL_BAUD_RATES = {
  /** ABECS 2.12 §2.1. */
  GERTEC_PPC930: 19_200,
  IDTECH_VP6800: 115_200,
  MAGTEK_DYNAFLEX: 115_200,
  /** From public sources incomplete: no speed is published. */
  MIURA_M020: 115_200,
  /** The published host opens its port at this speed. */
  NEWLAND_P180: 115_200,
  VERIFONE_P400: 115_200,
} as const satisfies Readonly<Record<DeviceType, number>>;
