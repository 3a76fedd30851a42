import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import type { DeviceDeps, SimulatedDevice } from './core/simulated-device.js';
import { Ppc930 } from './gertec/ppc930.js';
import { gertecWire } from './gertec/wire.js';
import { Vp6800 } from './idtech/vp6800.js';
import { idtechWire } from './idtech/wire.js';
import { DynaFlex } from './magtek/dynaflex.js';
import { magtekWire } from './magtek/wire.js';
import { MiuraM020 } from './miura/m020.js';
import { miuraWire } from './miura/wire.js';
import { NewlandP180 } from './newland/p180.js';
import { newlandWire } from './newland/wire.js';
import { VerifoneP400 } from './verifone/p400.js';
import { verifoneWire } from './verifone/wire.js';
import type { WireReader } from './wire/wire-reader.js';

/** A model that the simulator can be. */
interface ModelSpec {
  /** Its transports; the first is the default. */
  readonly transports: readonly [Transport, ...Transport[]];
  /** Its keys may be of AES DUKPT (serial numbers of 12 bytes). */
  readonly aes?: true;
  readonly Device: new (deps: DeviceDeps) => SimulatedDevice;
  /** Reads its line. @param transport how it is plugged in */
  readonly wire: (transport: string) => WireReader;
}

/** Every model of the simulator. */
const MODELS: Readonly<Record<DeviceType, ModelSpec>> = {
  GERTEC_PPC930: { transports: ['serial'], Device: Ppc930, wire: gertecWire },
  IDTECH_VP6800: { transports: ['hid', 'serial'], aes: true, Device: Vp6800, wire: idtechWire },
  MAGTEK_DYNAFLEX: { transports: ['hid', 'serial'], aes: true, Device: DynaFlex, wire: magtekWire },
  MIURA_M020: { transports: ['serial', 'tcp'], Device: MiuraM020, wire: miuraWire },
  NEWLAND_P180: { transports: ['serial'], Device: NewlandP180, wire: newlandWire },
  VERIFONE_P400: { transports: ['serial', 'tcp'], Device: VerifoneP400, wire: verifoneWire },
};

/** What is known of a model. */
export function modelSpec(type: DeviceType): ModelSpec {
  return MODELS[type];
}
