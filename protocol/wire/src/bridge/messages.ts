import { tillbridge } from '../../generated/bridge.js';

/**
 * The messages of `bridge.proto` as strict types: every scalar, byte string and list is present (proto3 defaults),
 * nested messages may be absent. Derived from the generated types, so the .proto stays the only definition.
 */
type Strict<T> = T extends Uint8Array | string | number | boolean
  ? T
  : T extends readonly (infer U)[]
    ? readonly Strict<U>[]
    : {
        readonly [K in keyof T as K extends '$unknowns' ? never : PlainKey<T, K>]-?: Strict<
          NonNullable<T[K]>
        >;
      } & {
        readonly [K in keyof T as K extends '$unknowns' ? never : NestedKey<T, K>]?: Strict<
          NonNullable<T[K]>
        >;
      };
type IsPlain<T> = T extends Uint8Array | string | number | boolean | readonly unknown[] ? true : false;
type PlainKey<T, K extends keyof T> = IsPlain<NonNullable<T[K]>> extends true ? K : never;
type NestedKey<T, K extends keyof T> = IsPlain<NonNullable<T[K]>> extends true ? never : K;

type Wire = typeof tillbridge.v1;
type Of<K extends keyof Wire> = Wire[K] extends { prototype: infer M } ? Strict<OwnData<M>> : never;
type OwnData<M> = { [K in keyof M as M[K] extends (...args: never[]) => unknown ? never : K]: M[K] };

export type Challenge = Of<'Challenge'>;
export type Hello = Of<'Hello'>;
export type Welcome = Of<'Welcome'>;
export type GatewayPins = Of<'GatewayPins'>;
export type EnrolmentRequest = Of<'EnrolmentRequest'>;
export type EnrolmentAnswer = Of<'EnrolmentAnswer'>;
export type WireStorePolicy = Of<'StorePolicy'>;
export type WireOfflineBounds = Of<'OfflineBounds'>;
export type StreamPosition = Of<'StreamPosition'>;
export type WireJournalHead = Of<'JournalHead'>;
export type WireCountersignedHead = Of<'CountersignedHead'>;
export type WireJournalTree = Of<'JournalTree'>;
export type Goodbye = Of<'Goodbye'>;
export type TerminalStatus = Of<'TerminalStatus'>;
export type Exposure = Of<'Exposure'>;
export type Heartbeat = Of<'Heartbeat'>;
export type HeartbeatAnswer = Of<'HeartbeatAnswer'>;
export type StoreTodo = Of<'StoreTodo'>;
export type StoreTodos = Of<'StoreTodos'>;
export type WireMoney = Of<'Money'>;
export type WireEnciphered = Of<'Enciphered'>;
export type PosData = Of<'PosData'>;
export type AuthorizationRequest = Of<'AuthorizationRequest'>;
export type Outcome = Of<'Outcome'>;
export type AuthorizationAnswer = Of<'AuthorizationAnswer'>;
export type StatusRequest = Of<'StatusRequest'>;
export type StatusAnswer = Of<'StatusAnswer'>;
export type Reversal = Of<'Reversal'>;
export type OfflineRecord = Of<'OfflineRecord'>;
export type Capture = Of<'Capture'>;
export type VoiceAuthorization = Of<'VoiceAuthorization'>;
export type CancelIfUnseen = Of<'CancelIfUnseen'>;
export type Acknowledgement = Of<'Acknowledgement'>;
export type Parked = Of<'Parked'>;
export type Command = Of<'Command'>;
export type CommandResult = Of<'CommandResult'>;

/** Enumerations of the wire, as the generated code has them. */
export const SaleType = tillbridge.v1.SaleType;
export type SaleType = tillbridge.v1.SaleType;
export const Disposition = tillbridge.v1.Outcome.Disposition;
export type Disposition = tillbridge.v1.Outcome.Disposition;
export const GoodbyeCode = tillbridge.v1.Goodbye.Code;
export type GoodbyeCode = tillbridge.v1.Goodbye.Code;
export const StatusState = tillbridge.v1.StatusAnswer.State;
export type StatusState = tillbridge.v1.StatusAnswer.State;
export const JournalVerdict = tillbridge.v1.JournalVerdict;
export type JournalVerdict = tillbridge.v1.JournalVerdict;
export const EnrolmentPurpose = tillbridge.v1.EnrolmentPurpose;
export type EnrolmentPurpose = tillbridge.v1.EnrolmentPurpose;
export const OfflineKind = tillbridge.v1.OfflineRecord.Kind;
export type OfflineKind = tillbridge.v1.OfflineRecord.Kind;
export type SaleReport = Of<'SaleReport'>;
export type SaleReportRow = Of<'SaleReportRow'>;
export type SaleReportEmv = Of<'SaleReportEmv'>;
export type SaleReportFrame = Of<'SaleReportFrame'>;
export const CommandAction = tillbridge.v1.Command.Action;
export type CommandAction = tillbridge.v1.Command.Action;
export const CommandState = tillbridge.v1.CommandResult.State;
export type CommandState = tillbridge.v1.CommandResult.State;

/** Bodies of an envelope by the name of their field in `bridge.proto`. */
export interface Bodies {
  readonly challenge: Challenge;
  readonly hello: Hello;
  readonly welcome: Welcome;
  readonly goodbye: Goodbye;
  readonly heartbeat: Heartbeat;
  readonly heartbeatAnswer: HeartbeatAnswer;
  readonly enrolmentRequest: EnrolmentRequest;
  readonly enrolmentAnswer: EnrolmentAnswer;
  readonly storePolicy: WireStorePolicy;
  readonly authorizationRequest: AuthorizationRequest;
  readonly authorizationAnswer: AuthorizationAnswer;
  readonly statusRequest: StatusRequest;
  readonly statusAnswer: StatusAnswer;
  readonly reversal: Reversal;
  readonly offlineRecord: OfflineRecord;
  readonly capture: Capture;
  readonly acknowledgement: Acknowledgement;
  readonly parked: Parked;
  readonly voiceAuthorization: VoiceAuthorization;
  readonly cancelIfUnseen: CancelIfUnseen;
  readonly command: Command;
  readonly commandResult: CommandResult;
}

/** Name of a body. */
export type BodyKind = keyof Bodies;

/** Bodies that travel in a terminal's stream: durable, numbered, acknowledged after commit. */
export type StreamKind = 'reversal' | 'offlineRecord' | 'capture' | 'voiceAuthorization' | 'cancelIfUnseen';

/** One message of the bridge: `kind` states which `body` it has. */
export type Envelope<K extends BodyKind = BodyKind> = {
  readonly [P in K]: {
    readonly id: string;
    /** Stream of the message; empty outside streams. */
    readonly terminalId: string;
    /** Position in the stream from 1; 0 outside streams. */
    readonly sequence: number;
    readonly kind: P;
    readonly body: Bodies[P];
  };
}[K];
