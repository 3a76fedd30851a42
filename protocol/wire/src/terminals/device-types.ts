/** The models of terminals (`pos.deviceType`). What differs by model is a `Record<DeviceType, …>`: the compiler names each that lacks one. */
export const DEVICE_TYPES = [
  'GERTEC_PPC930',
  'IDTECH_VP6800',
  'MAGTEK_DYNAFLEX',
  'MIURA_M020',
  'NEWLAND_P180',
  'VERIFONE_P400',
] as const;

/** A model. */
export type DeviceType = (typeof DEVICE_TYPES)[number];

/** The model of a name; undefined where none has it. */
export function deviceTypeOf(name: string): DeviceType | undefined {
  return DEVICE_TYPES.find((each) => each === name);
}
