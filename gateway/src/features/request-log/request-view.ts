import { resultDescription } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import { present } from '@tillbridge/wire/present.js';
import type { ParameterError } from '../../kernel/api/validate.js';
import type { RequestLogRow } from '../../kernel/store/rows.js';
import type { LoggedParameter } from './rules/mask-request.js';

/** A request as its developers see it. */
export interface RequestView
  extends Pick<RequestLogRow, 'id' | 'entityId' | 'method' | 'path' | 'status' | 'leftOut'> {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly durationMs: number;
  readonly resultCode?: string;
  /** What the result code means. */
  readonly description?: string;
  readonly outcome?: string;
  /** By which its client and the log of the gateway name it. */
  readonly ndc?: string;
  readonly paymentId?: string;
  readonly madeId?: string;
  /** Absent: a shopper's browser sent it. */
  readonly token?: { readonly id: string; readonly name?: string };
  /** A value is null where it is never kept. */
  readonly parameters: readonly { readonly name: string; readonly value: string | null }[];
  readonly errors: readonly ParameterError[];
}

const TOKEN = 'token ';
const US_OF_MS = 1_000;

/** The id of the token of a request; undefined of a shopper's browser. */
export function tokenOf({ actor }: Pick<RequestLogRow, 'actor'>): string | undefined {
  return actor.startsWith(TOKEN) ? actor.slice(TOKEN.length) : undefined;
}

/** What developers see of a row. @param nameOf the names of tokens by their ids */
export function requestView(row: RequestLogRow, nameOf: ReadonlyMap<string, string>): RequestView {
  const { id, entityId, method, path, status, leftOut, resultCode, createdAtMs, durationUs } = row;
  const { outcome, ndc, paymentId, madeId } = row;
  const token = tokenOf(row);
  return {
    ...{ id, entityId, method, path, status, leftOut },
    at: new Date(createdAtMs).toISOString(),
    durationMs: durationUs / US_OF_MS,
    ...present({ resultCode, outcome, ndc, paymentId, madeId }),
    ...(resultCode !== null && { description: resultDescription(resultCode) }),
    ...(token !== undefined && { token: { id: token, ...present({ name: nameOf.get(token) }) } }),
    parameters: (JSON.parse(row.parameters) as LoggedParameter[]).map(([name, value]) => ({ name, value })),
    errors: JSON.parse(row.errors) as ParameterError[],
  };
}
