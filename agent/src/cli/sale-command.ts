import { setTimeout as delay } from 'node:timers/promises';
import type { Style } from '@tillbridge/platform/command-line/style.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { toLowerHex } from '@tillbridge/wire/bytes.js';
import type { SaleAnswer, SaleType } from '../sale/machine/state/answer.js';
import type { AgentClient, SaleCall } from './agent-client.js';
import { describeSale, exitCodeOf, hasEnded, readSaleNews } from './describe-sale.js';
import type { ServerEvent } from './event-reader.js';
import { CommandError, EXIT } from './exit-code.js';

/** Options of `sale` as commander gives them. */
export interface SaleOptions {
  readonly amount: string;
  readonly currency: string;
  readonly terminal?: string;
  readonly type: string;
  readonly reference?: string;
  readonly original?: string;
  readonly onlineOnly?: boolean;
  readonly cancelAfter?: number;
  readonly wait: number;
  readonly json?: boolean;
}

/** How often a sale without a true end is looked at. */
const POLL_MS = 1_000;

/** How long the last event of a sale is waited for behind its answer. */
const LAST_EVENT_MS = 300;

/** Where a command writes. */
export interface Output {
  out(text: string): void;
  note(text: string): void;
  /** Default: plain text. */
  readonly style?: Style;
}

/**
 * Runs one sale and shows how it goes; resolves with the exit code.
 * @throws CommandError when the agent refuses or cannot be reached
 */
export async function runSale(client: AgentClient, options: SaleOptions, output: Output): Promise<number> {
  const call = saleCall(options);
  const listening = new AbortController();
  const events = await client.events(listening.signal);
  const telling = tell(events, call.reference, output);
  try {
    const sale = await untilEnd(client, await client.sale(call), options.wait);
    // Answer and events come by two connections: the last event may be the later one.
    if (hasEnded(sale)) await Promise.race([telling, delay(LAST_EVENT_MS, undefined, { ref: false })]);
    output.out(options.json ? JSON.stringify(sale, null, 2) : describeSale(sale, output.style));
    return exitCodeOf(sale);
  } finally {
    listening.abort();
    await telling;
  }
}

function saleCall(options: SaleOptions): SaleCall {
  return {
    reference: options.reference ?? `cli-${systemClock.nowMs()}-${toLowerHex(systemRandom.bytes(3))}`,
    amount: options.amount,
    currency: options.currency,
    // The agent checks it, and names what it should be.
    type: options.type as SaleType,
    ...(options.terminal !== undefined && { terminalId: options.terminal }),
    ...(options.original !== undefined && { originalReference: options.original }),
    ...(options.onlineOnly && { onlineOnly: true }),
    ...(options.cancelAfter !== undefined && { cancelAfterSeconds: options.cancelAfter }),
  };
}

/** What `cancel` stops: a sale, or the one that runs on a terminal. */
export interface CancelOptions {
  readonly terminal?: string;
  readonly json?: boolean;
}

/**
 * Cancels a sale, or the one that runs on a terminal; resolves with the exit code: 0 where it is cancelled.
 * @throws CommandError when the agent refuses or cannot be reached
 */
export async function cancelSale(
  client: AgentClient,
  reference: string | undefined,
  options: CancelOptions,
  output: Output,
): Promise<number> {
  const sale = await client.cancel(reference ?? (await runningOn(client, options.terminal)));
  output.out(options.json ? JSON.stringify(sale, null, 2) : describeSale(sale, output.style));
  return sale.outcome === 'cancelled' ? EXIT.ok : EXIT.declined;
}

async function runningOn(client: AgentClient, terminalId: string | undefined): Promise<string> {
  const { terminals } = await client.status();
  const chosen = terminals.filter(({ id }) => terminalId === undefined || id === terminalId);
  const running = chosen.flatMap(({ runningReference }) => runningReference ?? []);
  const [only] = running;
  if (only !== undefined && running.length === 1) return only;
  const text = running.length === 0 ? 'no sale runs' : `several sales run: ${running.join(', ')}; name one`;
  throw new CommandError(EXIT.usage, text);
}

/** Shows the sale's events until it has ended, or the stream has. */
async function tell(events: AsyncIterable<ServerEvent>, reference: string, output: Output): Promise<void> {
  try {
    for await (const event of events) {
      const news = readSaleNews(event);
      if (news?.reference !== reference) continue;
      output.note(news.line);
      if (news.ended) return;
    }
  } catch {
    // This command or the agent ended the stream; the answer of the sale counts.
  }
}

/** An answer may come while the outcome is still unknown or being reversed: looks again until it has ended. */
async function untilEnd(client: AgentClient, first: SaleAnswer, waitSeconds: number): Promise<SaleAnswer> {
  let sale = first;
  for (let waited = 0; !hasEnded(sale) && waited < waitSeconds; waited += POLL_MS / 1_000) {
    await delay(POLL_MS);
    sale = await client.get(sale.reference);
  }
  return sale;
}
