import { toHex } from '@tillbridge/wire/bytes.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Seams } from '@tillbridge/wire/seams/seams.js';
import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import type { Card } from '../../cards/core/card.js';
import type { DeviceFaultName } from '../../faults/fault.js';
import type { LineStyle } from '../../faults/fault-registry.js';
import type { DecisionWatcher } from '../../kernel/transaction-data.js';
import type { StateSlot } from '../../state/state-slot.js';
import type { CardholderAct } from './cardholder-act.js';
import { DeviceHealth } from './device-health.js';
import { DeviceProgram } from './device-program.js';
import { DukptDevice, parseDukptState } from './dukpt-device.js';
import { HostLine } from './host-line.js';
import { type CoreCounters, PaymentCore, parseCoreCounters } from './payment-core.js';
import { DEVELOPMENT_PLACE } from './terminal-applications.js';
import { type Presentation, TerminalUi } from './terminal-ui.js';

/** Where captured bytes of a real device differ from the published text, a device follows one of them. */
export type DeviceForm = 'published' | 'captured';

/** What every simulated device is built from. */
export interface DeviceDeps extends Seams {
  readonly id: string;
  readonly serial: string;
  /** The line that it will be plugged into: framing may follow from it. */
  readonly transport: Transport;
  /** As published when absent. */
  readonly form?: DeviceForm | undefined;
  /** How long a card or PIN given ahead of time is kept ready. */
  readonly presentAheadMs: number;
  /** Initial key serial numbers: counter zero; 10 bytes, or 12 where the model has AES DUKPT. */
  readonly ksnPin: Uint8Array;
  readonly ksnData: Uint8Array;
  /** Key slots, for models whose hosts name them. */
  readonly pinKeyIndex: number;
  readonly dataKeyIndex: number;
  /** A value of that name that survives a restart. */
  readonly slot: <T>(name: string, parse: (json: unknown) => T) => StateSlot<T>;
  /** Called with errors that the model's protocol has no status for; for the log. */
  readonly onFault: (error: unknown) => void;
  /** Who looks at what happens inside. */
  readonly inspection?: DeviceInspection;
}

/** What can be seen inside a device. */
interface DeviceInspection {
  /** Stands between the device and each chip that it reads. */
  readonly tapCard: (card: Card, presentation: Presentation) => Card;
  /** Receives the kernel's decisions with their reasons. */
  readonly onDecision: DecisionWatcher;
  /** Receives what a cardholder did. */
  readonly onAct: (act: CardholderAct) => void;
}

/** A key of a device as its counters stand. */
interface KeyView {
  /** Hex. */
  readonly ksn: string;
  readonly algorithm: string;
  readonly condition: DukptDevice['condition'];
}

/**
 * A simulated terminal: terminal UI, line to the host, keys and payment core. A model adds the codec of its protocol and
 * its commands.
 */
export abstract class SimulatedDevice {
  abstract readonly deviceType: DeviceType;
  readonly id: string;
  readonly ui: TerminalUi;
  protected readonly deps: DeviceDeps;
  protected readonly line: HostLine;
  protected readonly pinKey: DukptDevice;
  protected readonly dataKey: DukptDevice;
  protected readonly health: DeviceHealth;
  protected readonly counters: StateSlot<CoreCounters>;
  protected readonly core: PaymentCore;
  /** The command that waits for the cardholder. */
  protected readonly program: DeviceProgram;
  /** What the device does with its readers between commands. */
  protected readonly watch: DeviceProgram;

  /** @throws CryptoError badKsn, badCounter */
  constructor(deps: DeviceDeps) {
    const { id, serial, clock, random, slot, onFault, inspection } = deps;
    this.id = id;
    this.deps = deps;
    this.ui = new TerminalUi({
      clock,
      aheadMs: deps.presentAheadMs,
      tapCard: inspection?.tapCard,
      onAct: inspection?.onAct,
    });
    this.pinKey = new DukptDevice(slot('pin-key', parseDukptState), 'bdkPin', deps.ksnPin, random);
    this.dataKey = new DukptDevice(slot('data-key', parseDukptState), 'bdkData', deps.ksnData, random);
    this.health = new DeviceHealth([this.pinKey, this.dataKey]);
    this.counters = slot('counters', parseCoreCounters);
    this.core = new PaymentCore({
      serial,
      terminalId: id,
      ui: this.ui,
      random,
      pinKey: this.pinKey,
      counters: this.counters,
      place: DEVELOPMENT_PLACE,
      onDecision: inspection?.onDecision,
    });
    this.program = new DeviceProgram(onFault);
    this.watch = new DeviceProgram(onFault);
    this.line = new HostLine({
      onBytes: (bytes) => this.receive(bytes),
      onChange: () => this.forget(),
    });
  }

  /** How line faults act on its frames. */
  get lineStyle(): LineStyle {
    return {};
  }

  /** Connects the line; a former one is dropped. */
  attach(pipe: BytePipe): void {
    this.line.attach(pipe);
  }

  /** Its keys and counters. @throws StateError */
  get counterView(): { readonly pinKey: KeyView; readonly dataKey: KeyView; readonly sequence: number } {
    const sequence = this.counters.read()?.sequence ?? 0;
    return { pinKey: keyView(this.pinKey), dataKey: keyView(this.dataKey), sequence };
  }

  /** Replaces the faults of the device itself; none repairs it. */
  setDeviceFaults(faults: readonly DeviceFaultName[]): void {
    this.health.lay(faults);
  }

  /** Power cycle: what runs is forgotten without an answer; tables, keys, counters and settings stay. */
  reset(): void {
    this.forget();
    this.ui.clear();
  }

  /** Ends the program of the host and the watch. */
  protected stop(): void {
    this.program.abort();
    this.watch.abort();
    this.ui.setState('idle');
  }

  /** A whole frame that the device may send unsolicited; undefined where its protocol has none. */
  abstract unsolicited(): Uint8Array | undefined;

  /** Takes bytes of the host. */
  protected abstract receive(bytes: Uint8Array): void;

  /** Forgets half a frame and what runs: the line was connected anew or went away, or the power was cycled. */
  protected abstract forget(): void;
}

function keyView({ ksn, algorithm, condition }: DukptDevice): KeyView {
  return { ksn: toHex(ksn), algorithm, condition };
}
