import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import type { Transport } from '../ports/terminal-plug.js';
import type { StateSlot } from '../state/state-slot.js';
import { parseDukptState } from './core/dukpt-device.js';
import { parseCoreCounters } from './core/payment-core.js';
import type { SimulatedDevice } from './core/simulated-device.js';
import { parseDeviceCounters } from './gertec/device-context.js';
import { parseStoredTables } from './gertec/emv-tables.js';
import { Ppc930 } from './gertec/ppc930.js';
import { parseStoredApplications } from './idtech/applications.js';
import { Vp6800 } from './idtech/vp6800.js';
import { parseStoredSettings } from './magtek/device-properties.js';
import { DynaFlex } from './magtek/dynaflex.js';
import { MiuraM020 } from './miura/m020.js';
import { NewlandP180 } from './newland/p180.js';
import { VerifoneP400 } from './verifone/p400.js';

/** What every simulated device is built from. */
export interface ModelParts {
  readonly id: string;
  readonly serial: string;
  /** The line it will be plugged into: framing may follow from it. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  /** How long a card or PIN given ahead of time is kept ready. */
  readonly presentAheadMs: number;
  /** Initial key serial numbers: counter zero; 10 bytes, or 12 where the model has AES DUKPT. */
  readonly ksnPin: Uint8Array;
  readonly ksnData: Uint8Array;
  readonly pinKeyIndex: number;
  readonly dataKeyIndex: number;
  /** A value of that name that survives a restart. */
  readonly slot: <T>(name: string, parse: (json: unknown) => T) => StateSlot<T>;
  /** Told of faults that the maker's protocol has no word for. */
  readonly onFault: (error: unknown) => void;
}

/** A model that the simulator can be. */
export interface ModelSpec {
  /** Lines that it speaks over; the first is meant where the configuration names none. */
  readonly transports: readonly [Transport, ...Transport[]];
  /** Its keys may be of AES DUKPT (serial numbers of 12 bytes). */
  readonly aes?: true;
  readonly build: (parts: ModelParts) => SimulatedDevice;
}

/** Every model of the simulator, by `pos.deviceType` (spec 2.3). */
export const MODELS = {
  GERTEC_PPC930: {
    transports: ['serial'],
    build: ({ ksnPin, ksnData, pinKeyIndex, dataKeyIndex, slot, ...parts }) =>
      new Ppc930({
        ...parts,
        pinKey: { index: pinKeyIndex, initialKsn: ksnPin, slot: slot('pin-key', parseDukptState) },
        dataKey: { index: dataKeyIndex, initialKsn: ksnData, slot: slot('data-key', parseDukptState) },
        tables: slot('tables', parseStoredTables),
        counters: slot('counters', parseDeviceCounters),
      }),
  },
  IDTECH_VP6800: {
    transports: ['hid', 'serial'],
    aes: true,
    build: ({ slot, transport, ...parts }) =>
      new Vp6800({
        ...parts,
        line: transport === 'serial' ? 'serial' : 'hid',
        pinSlot: slot('pin-key', parseDukptState),
        dataSlot: slot('data-key', parseDukptState),
        counters: slot('counters', parseCoreCounters),
        applications: slot('applications', parseStoredApplications),
      }),
  },
  MAGTEK_DYNAFLEX: {
    transports: ['hid', 'serial'],
    aes: true,
    build: ({ slot, transport, ...parts }) =>
      new DynaFlex({
        ...parts,
        transport: transport === 'serial' ? 'serial' : 'hid',
        pinSlot: slot('pin-key', parseDukptState),
        dataSlot: slot('data-key', parseDukptState),
        counters: slot('counters', parseCoreCounters),
        settings: slot('settings', parseStoredSettings),
      }),
  },
  MIURA_M020: {
    transports: ['serial', 'tcp'],
    build: ({ slot, ...parts }) =>
      new MiuraM020({
        ...parts,
        pinSlot: slot('pin-key', parseDukptState),
        dataSlot: slot('data-key', parseDukptState),
        counters: slot('counters', parseCoreCounters),
      }),
  },
  NEWLAND_P180: {
    transports: ['serial'],
    build: ({ slot, ...parts }) =>
      new NewlandP180({
        ...parts,
        pinSlot: slot('pin-key', parseDukptState),
        dataSlot: slot('data-key', parseDukptState),
        counters: slot('counters', parseCoreCounters),
      }),
  },
  VERIFONE_P400: {
    transports: ['serial', 'tcp'],
    build: ({ slot, transport, ...parts }) =>
      new VerifoneP400({
        ...parts,
        frames: transport === 'tcp' ? 'B' : 'A',
        pinSlot: slot('pin-key', parseDukptState),
        dataSlot: slot('data-key', parseDukptState),
        counters: slot('counters', parseCoreCounters),
      }),
  },
} as const satisfies Readonly<Record<string, ModelSpec>>;

/** A model. */
export type ModelName = keyof typeof MODELS;

/** Every model's name. */
export const MODEL_NAMES = Object.keys(MODELS) as ModelName[];

/** What is known of a model. */
export function modelSpec(type: ModelName): ModelSpec {
  return MODELS[type];
}
