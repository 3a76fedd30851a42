import type { CardView } from '@tillbridge/hardware-sim/control/card-routes.js';
import type { NetworkState } from '@tillbridge/hardware-sim/hosts/network-proxy.js';
import type { ApduView } from '@tillbridge/hardware-sim/inspection/apdu-log.js';
import type { TransactionView } from '@tillbridge/hardware-sim/inspection/kernel-log.js';
import type { SaleView } from '@tillbridge/hardware-sim/inspection/sale-log.js';
import type { FrameView } from '@tillbridge/hardware-sim/inspection/wire-log.js';
import type { ReceiptView } from '@tillbridge/hardware-sim/printer/receipt-printer.js';
import type { RecordingView } from '@tillbridge/hardware-sim/recordings/recordings.js';
import type { Scenario } from '@tillbridge/hardware-sim/scenarios/scenario.js';
import type { SimulatorEventData } from '@tillbridge/hardware-sim/simulator/simulator-events.js';
import type { TerminalView } from '@tillbridge/hardware-sim/simulator/terminal-view.js';
import type { DescribedNode } from '@tillbridge/wire/emv/describe.js';

export type { FaultName } from '@tillbridge/hardware-sim/faults/fault.js';
export type { EntriesWithTag } from '@tillbridge/hardware-sim/inspection/entries-with-tag.js';
export type { FieldView } from '@tillbridge/hardware-sim/inspection/kernel-log.js';
export type {
  ApduView,
  CardView,
  FrameView,
  NetworkState,
  ReceiptView,
  RecordingView,
  SaleView,
  Scenario,
  SimulatorEventData,
  TerminalView,
  TransactionView,
};

/** `GET /terminals/{id}/frames/{number}`. */
export interface FrameDetail extends FrameView {
  readonly objects: readonly DescribedNode[];
}

/** `GET /terminals/{id}/apdus/{number}`. */
export interface ApduDetail extends ApduView {
  readonly sent: readonly DescribedNode[];
  readonly received: readonly DescribedNode[];
}

/** A key of a terminal. */
export interface KeyView {
  readonly ksn: string;
  readonly algorithm: string;
  readonly condition: string;
}

/** `GET /terminals/{id}`. */
export interface TerminalDetail extends TerminalView {
  readonly pinKey: KeyView;
  readonly dataKey: KeyView;
  readonly sequence: number;
}

/** `GET /cards/{name}`. */
export interface CardDetail extends CardView {
  readonly state?: {
    readonly atc: number;
    readonly lastOnlineAtc: number;
    readonly pinTryCounter: number;
    readonly applicationBlocked: boolean;
    readonly cardBlocked: boolean;
  };
}

/** A rule of the acquirer host. */
export interface ResponseRule {
  readonly last4Digits?: string;
  readonly terminalId?: string;
  readonly amountMinor?: number;
  readonly responseCode?: string;
  readonly script?: string;
}

/** `GET /host`: the acquirer host. */
export type HostView =
  | { readonly running: true; readonly rules: readonly ResponseRule[] }
  | { readonly running: false; readonly reason: string };
