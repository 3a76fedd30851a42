import type { TillRight } from '../access/rights.js';
import type { SaleAnswer, SaleType } from '../sale/machine/state/answer.js';
import type { StatusView } from '../sale/service/sale-service.js';
import type { Totals } from '../sale/totals/totals-page.js';
import type { QueueAnswer } from '../till/queue-answer.js';
import type { ConditionAnswer, JournalDetail, TerminalAnswer, TodoAnswer } from '../till/status-routes.js';
import type { TillAnswer } from '../till/till-routes.js';
import type { LinkDetail } from '../uplink/bridge-uplink.js';
import type { AgentAddress } from './agent-address.js';
import { readEvents, type ServerEvent } from './event-reader.js';
import { CommandError, EXIT } from './exit-code.js';

/** Body of `POST /v1/sales`. */
export interface SaleCall {
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  /** A part of the amount. */
  readonly tip?: string;
  /** A part of the amount. */
  readonly cashBack?: string;
  readonly type: SaleType;
  readonly terminalId?: string;
  readonly originalReference?: string;
  readonly onlineOnly?: boolean;
  readonly cancelAfterSeconds?: number;
}

/** Body of `GET /v1/status`. */
export type StatusAnswer = Omit<StatusView, 'gateway' | 'journal' | 'terminals' | 'open'> & {
  readonly open: readonly string[];
  readonly journal: StatusView['journal'] & Partial<JournalDetail>;
  readonly gateway: StatusView['gateway'] & LinkDetail;
  readonly terminals: readonly TerminalAnswer[];
  readonly todos: readonly TodoAnswer[];
};

/** The agent's REST as the command line uses it. Every method rejects with {@link CommandError}. */
export class AgentClient {
  private readonly address: AgentAddress;

  constructor(address: AgentAddress) {
    this.address = address;
  }

  /** Starts a sale, or joins it; resolves when the agent answers. */
  sale(call: SaleCall): Promise<SaleAnswer> {
    return this.json('POST', '/v1/sales', call);
  }

  get(reference: string): Promise<SaleAnswer> {
    return this.json('GET', `/v1/sales/${encodeURIComponent(reference)}`);
  }

  /** Cancels a running sale; resolves with the sale as it then is. */
  cancel(reference: string): Promise<SaleAnswer> {
    return this.json('POST', `/v1/sales/${encodeURIComponent(reference)}/cancel`);
  }

  /** Reverses an approved sale; resolves with the sale as it then is. */
  reverse(reference: string): Promise<SaleAnswer> {
    return this.json('POST', `/v1/sales/${encodeURIComponent(reference)}/reversal`, {});
  }

  status(): Promise<StatusAnswer> {
    return this.json('GET', '/v1/status');
  }

  /** Reads the condition of a terminal from the terminal itself. */
  condition(terminalId: string): Promise<ConditionAnswer> {
    return this.json('GET', `/v1/terminals/${encodeURIComponent(terminalId)}/condition`);
  }

  queue(): Promise<QueueAnswer> {
    return this.json('GET', '/v1/queue');
  }

  /** Acknowledges an offline sale that was declined later or expired. */
  acknowledge(reference: string, by?: string): Promise<SaleAnswer> {
    const path = `/v1/queue/${encodeURIComponent(reference)}/acknowledgement`;
    return this.json('POST', path, by === undefined ? {} : { by });
  }

  flush(): Promise<QueueAnswer> {
    return this.json('POST', '/v1/queue/flush');
  }

  /** What a period comes to; `query`: the parameters of `GET /v1/totals`. */
  totals(query: Readonly<Record<string, string>>): Promise<Totals> {
    return this.json('GET', `/v1/totals?${new URLSearchParams(query)}`);
  }

  /** A file as the agent gives it. */
  async file(path: string): Promise<Uint8Array> {
    const response = await this.fetch('GET', path, {});
    if (!response.ok) throw await refusal(response);
    return new Uint8Array(await response.arrayBuffer());
  }

  tills(): Promise<readonly TillAnswer[]> {
    return this.json('GET', '/v1/tills');
  }

  /** Where the agent answers. */
  get url(): string {
    return this.address.url;
  }

  /** Gives a till a token; only this answer has it. */
  createTill(
    id: string,
    rights: readonly TillRight[],
    pin?: string,
  ): Promise<TillAnswer & { readonly token: string }> {
    return this.json('POST', '/v1/tills', { id, rights, ...(pin !== undefined && { pin }) });
  }

  /** A one-time code that signs a browser in as a till. */
  signInCode(id: string): Promise<{ readonly code: string; readonly expiresInSeconds: number }> {
    return this.json('POST', `/v1/tills/${encodeURIComponent(id)}/code`);
  }

  /** Takes the token of a till away; resolves with the tills that are left. */
  revokeTill(id: string): Promise<readonly TillAnswer[]> {
    return this.json('DELETE', `/v1/tills/${encodeURIComponent(id)}`);
  }

  /** The events from now on, until `signal` ends them. Resolves when the stream is open. */
  async events(signal: AbortSignal): Promise<AsyncGenerator<ServerEvent>> {
    const response = await this.fetch('GET', '/v1/events', { signal });
    if (!response.ok || !response.body) throw await refusal(response);
    return readEvents(response.body.pipeThrough(new TextDecoderStream()));
  }

  private async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.fetch(method, path, {
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    if (!response.ok) throw await refusal(response);
    return (await response.json()) as T;
  }

  private async fetch(
    method: string,
    path: string,
    init: {
      readonly body?: string;
      readonly headers?: Record<string, string>;
      readonly signal?: AbortSignal;
    },
  ): Promise<Response> {
    const { url, token } = this.address;
    const headers = { ...init.headers, authorization: `Bearer ${token}` };
    try {
      return await fetch(`${url}${path}`, { ...init, method, headers });
    } catch (error) {
      throw new CommandError(EXIT.unknown, `no answer from the agent at ${url} (${causeOf(error)})`);
    }
  }
}

async function refusal(response: Response): Promise<CommandError> {
  const exitCode = response.status < 500 ? EXIT.usage : EXIT.unknown;
  const body = (await response.json().catch(() => undefined)) as { error?: { message?: string } } | undefined;
  return new CommandError(
    exitCode,
    `refused (${response.status}): ${body?.error?.message ?? response.statusText}`,
  );
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return cause instanceof Error ? cause.message : String(cause);
}
