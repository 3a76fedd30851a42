import type { REQUEST_OUTCOMES } from '@tillbridge/gateway/kernel/api/catalogue/administration/request-log.js';

/** How a request ended. */
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

/** A request as it was sent, masked. */
export interface SentRequest {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly resultCode?: string;
  readonly description?: string;
  readonly outcome?: string;
  readonly ndc?: string;
  readonly paymentId?: string;
  readonly madeId?: string;
  readonly token?: { readonly id: string; readonly name?: string };
  readonly parameters: readonly { readonly name: string; readonly value: string | null }[];
  /** Parameters that there was no room for. */
  readonly leftOut: number;
  readonly errors: readonly {
    readonly name: string;
    readonly value: string | null;
    readonly message: string;
  }[];
}

/** A page of requests; `next`: what the one behind it comes after. */
export interface RequestPage {
  readonly requests: readonly SentRequest[];
  readonly next?: string;
}
