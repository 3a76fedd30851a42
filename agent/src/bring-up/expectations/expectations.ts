import type { DeviceType } from '../../drivers/device-types.js';
import type { Expectation } from '../observation.js';

/** What the device of a model is expected to do. The simulated terminals are recorded here by a test. */
export async function expectationOf(deviceType: DeviceType): Promise<Expectation> {
  const { EXPECTED } = await LOAD[deviceType]();
  return EXPECTED;
}

const LOAD: Readonly<Record<DeviceType, () => Promise<{ readonly EXPECTED: Expectation }>>> = {
  GERTEC_PPC930: () => import('./gertec-ppc930.js'),
  IDTECH_VP6800: () => import('./idtech-vp6800.js'),
  MAGTEK_DYNAFLEX: () => import('./magtek-dynaflex.js'),
  MIURA_M020: () => import('./miura-m020.js'),
  NEWLAND_P180: () => import('./newland-p180.js'),
  VERIFONE_P400: () => import('./verifone-p400.js'),
};
