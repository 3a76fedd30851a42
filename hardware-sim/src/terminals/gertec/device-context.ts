import type { Seams } from '@tillbridge/wire/seams/seams.js';
import type { FieldReader } from '@tillbridge/wire/terminals/abecs/field-values.js';
import type { IccStatus } from '@tillbridge/wire/terminals/abecs/results.js';
import type { FirstDecision, OpenTransaction } from '../../kernel/contact-transaction.js';
import type { TapTransaction } from '../../kernel/contactless-transaction.js';
import type { ApplicationParameters } from '../../kernel/terminal-parameters.js';
import type { DecisionWatcher } from '../../kernel/transaction-data.js';
import type { StateSlot } from '../../state/state-slot.js';
import type { DukptDevice } from '../core/dukpt-device.js';
import type { CoreCounters } from '../core/payment-core.js';
import type { DeviceForm } from '../core/simulated-device.js';
import type { TerminalUi } from '../core/terminal-ui.js';
import type { AidRecord } from './aid-records.js';
import type { EmvTables } from './emv-tables.js';

/** One command of the host, its parameters readable both ways. */
export interface DeviceRequest {
  readonly id: string;
  readonly blocks: readonly Uint8Array[];
  /** TLV parameters; empty for classic commands. */
  readonly fields: FieldReader;
  /** Aborted by CAN, by the next command and by a power cycle. */
  readonly signal: AbortSignal;
}

/** Data blocks of a successful answer. */
export type DeviceAnswer = readonly Uint8Array[];

/** Carries out one command. Throws StatusError and whatever `statusOfFailure` knows. */
export type CommandHandler = (
  device: DeviceContext,
  request: DeviceRequest,
) => Promise<DeviceAnswer> | DeviceAnswer;

/** A key of the device and the slot it stands in. */
export interface KeySlotEntry {
  readonly index: number;
  readonly key: DukptDevice;
}

/** Card data of the last GCX, for GTK and GPN; gone after GTK (ABECS 2.12 §6.5.12). */
export interface StoredTracks {
  /** Known for chips, and from a magstripe's track 2. */
  readonly pan: string | undefined;
  readonly fromChip: boolean;
  readonly track1: string | undefined;
  /** `=` as separator. */
  readonly track2: string | undefined;
}

/** A chip transaction between GCX and FCX. */
export type ChipTransaction =
  | {
      readonly face: 'contact';
      readonly open: OpenTransaction;
      readonly records: readonly AidRecord[];
      decided: ContactDecision | undefined;
      finished: boolean;
    }
  | {
      readonly face: 'tap';
      readonly open: TapTransaction;
      readonly records: readonly AidRecord[];
      decided: 'approved-offline' | 'declined' | 'online' | undefined;
      finished: boolean;
    };

/** What GOX settled for FCX. */
export interface ContactDecision {
  readonly first: FirstDecision;
  readonly parameters: ApplicationParameters;
  readonly forceOnline: boolean;
}

/** What the device forgets at a power cycle. */
interface DeviceSession {
  tracks: StoredTracks | undefined;
  transaction: ChipTransaction | undefined;
  /** How the GCX or GOX right before ended, for PP_ICCSTAT. */
  iccStatus: IccStatus;
  /** Key of the channel that the host opened, KSEC; undefined: the line is in clear. */
  channelKey: Uint8Array | undefined;
}

/** A device that was just switched on. */
export function newDeviceSession(): DeviceSession {
  return { tracks: undefined, transaction: undefined, iccStatus: 'ok', channelKey: undefined };
}

/** Everything a command handler works with. */
export interface DeviceContext extends Seams {
  readonly serial: string;
  readonly ui: TerminalUi;
  readonly tables: EmvTables;
  readonly pinKey: KeySlotEntry;
  readonly dataKey: KeySlotEntry;
  readonly counters: StateSlot<CoreCounters>;
  readonly form: DeviceForm;
  /** Receives the kernel's decisions with their reasons. */
  readonly onDecision: DecisionWatcher | undefined;
  session: DeviceSession;
  /** Sends a notification to the operator while a blocking command runs: two lines of 16 characters. */
  readonly notify: (first: string, second?: string) => void;
}
