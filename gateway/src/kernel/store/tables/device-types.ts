/** Values of `pos.deviceType` that name a maker's way to encipher account data (spec 2.3); `default` stands for requests that name none. */
export const DEVICE_TYPES = [
  'GERTEC_PPC930',
  'IDTECH_VP6800',
  'MAGTEK_DYNAFLEX',
  'MIURA_M020',
  'NEWLAND_P180',
  'VERIFONE_P400',
  'default',
] as const;

/** One of {@link DEVICE_TYPES}. */
export type DeviceType = (typeof DEVICE_TYPES)[number];
