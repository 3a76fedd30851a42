import type { TillRight } from '@tillbridge/agent/access/rights.js';
import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import type { RefundsView, StatusView } from '@tillbridge/agent/sale/service/sale-service.js';
import type { Totals } from '@tillbridge/agent/sale/totals/totals-page.js';
import type { DayCloseAnswer } from '@tillbridge/agent/till/day-close-routes.js';
import type { QueueAnswer } from '@tillbridge/agent/till/queue-answer.js';
import type {
  ConditionAnswer,
  JournalDetail,
  TerminalAnswer,
  TodoAnswer,
} from '@tillbridge/agent/till/status-routes.js';
import type { LinkDetail } from '@tillbridge/agent/uplink/bridge-uplink.js';

export type { TillRight } from '@tillbridge/agent/access/rights.js';
export type { TotalKind, TotalsBy, TotalsGroup } from '@tillbridge/agent/sale/totals/totals.js';

/** A sale, as every call on it answers. */
export type Sale = SaleAnswer;

/** A page of `GET /v1/sales`. */
export interface SalesPage {
  readonly sales: readonly Sale[];
  readonly next?: string;
}

/** `GET /v1/sales/{reference}/refunds`. */
export type Refunds = RefundsView;

/** `GET /v1/queue`. */
export type Queue = QueueAnswer;

/** One of `GET /v1/terminals`. */
export type Terminal = TerminalAnswer;

/** `GET /v1/terminals/{id}/condition`. */
export type Condition = ConditionAnswer['condition'];

/** One of `GET /v1/day-closes`. */
export type DayClose = DayCloseAnswer;

/** A page of `GET /v1/day-closes`. */
export interface DayClosesPage {
  readonly dayCloses: readonly DayClose[];
  readonly next?: string;
}

/** `GET /v1/totals`. */
export type { Totals };

/** `GET /v1/caller`. */
export interface Caller {
  /** Absent: the token of the store. */
  readonly till?: string;
  readonly rights: readonly TillRight[];
  readonly hasPin?: boolean;
}

/** `POST /v1/sign-in`. */
export interface SignedIn extends Caller {
  /** The PIN of the cashier is needed. */
  readonly locked: boolean;
}

/** `POST /v1/terminals/{id}/display-code`. */
export interface DisplayCode {
  readonly code: string;
  readonly expiresInSeconds: number;
  /** What the display opens, and the same as a picture: a `data:` URL. */
  readonly address: string;
  readonly picture: string;
}

/** `GET /v1/status`. */
export interface Status extends Omit<StatusView, 'gateway' | 'journal' | 'terminals' | 'open'> {
  readonly gateway: StatusView['gateway'] & Partial<LinkDetail>;
  readonly journal: StatusView['journal'] & Partial<JournalDetail>;
  readonly terminals: readonly Terminal[];
  readonly todos: readonly TodoAnswer[];
  readonly open: readonly string[];
  readonly store: {
    readonly timeZone: string;
    readonly language: string;
    readonly name?: string;
    readonly currency?: string;
  };
}

/** State of the link. */
export type LinkState = Status['gateway']['state'];

/** `GET /v1/history`. */
export interface History {
  readonly since: string;
  readonly until: string;
  readonly link: readonly { readonly at: string; readonly state: LinkState }[];
  readonly exposure: readonly {
    readonly at: string;
    readonly depth: number;
    readonly sums: Readonly<Record<string, string>>;
  }[];
}

/** An event `progress`. */
export interface Progress {
  readonly reference: string;
  readonly terminalId: string;
  readonly step: string;
  readonly text?: string;
}
