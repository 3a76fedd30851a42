import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isLoopbackHost } from '@tillbridge/platform/config/net-setting.js';
import { createLog } from '@tillbridge/platform/log/log.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { UNIX_PREFIX } from '@tillbridge/wire/seams/report-pipe.js';
import { readToken } from '../access/token.js';
import type { AgentConfig } from '../config/config.js';
import type { TerminalConfig } from '../config/terminals.js';
import { TILL_TOKEN_FILE } from '../home/home-files.js';
import { LOG_NAME } from '../log/note-command.js';
import { startAgent } from '../run/agent.js';
import type { SaleAnswer } from '../sale/machine/state/answer.js';
import type { StepResult } from './system-steps.js';

/** What a trial needs of an agent's REST. */
export interface TrialClient {
  status(): Promise<{
    readonly gateway: { readonly state: string };
    readonly terminals: readonly { readonly id: string; readonly state: string; readonly reason?: string }[];
  }>;
  sale(call: {
    readonly reference: string;
    readonly amount: string;
    readonly currency: string;
    readonly type: 'sale';
    readonly terminalId: string;
    readonly cancelAfterSeconds: number;
  }): Promise<SaleAnswer>;
  get(reference: string): Promise<SaleAnswer>;
  reverse(reference: string): Promise<SaleAnswer>;
}

/** Limits of a trial sale. */
const TRIAL_LIMITS = {
  /** How long gateway and terminal may take to be ready. */
  readyMs: 30_000,
  /** How long a card may take. */
  cardSeconds: 60,
  /** How long sale or reversal may take to their end. */
  endMs: 60_000,
  pollMs: 250,
} as const;

const AMOUNT = '1.00';

/** Whether a terminal is one of a simulator: on a pseudo-terminal, a socket in place of a HID device, or a loopback address. */
export function isSimulated({ transport, path }: Pick<TerminalConfig, 'transport' | 'path'>): boolean {
  if (transport === 'hid') return path.startsWith(UNIX_PREFIX);
  if (transport === 'tcp') return isLoopbackHost(path.replace(/:\d+$/, ''));
  try {
    return realpathSync(path).startsWith('/dev/pts/');
  } catch {
    return false;
  }
}

/** Starts the agent in this process, sells on its first simulated terminal, and reverses the sale. The home is free, before and after. */
export async function sellOnTrial(
  config: AgentConfig,
  connect: (address: { readonly url: string; readonly token: string }) => TrialClient,
  note: (text: string) => void,
): Promise<StepResult> {
  const terminal = config.terminals.find(isSimulated);
  if (!terminal)
    return {
      text: 'no simulated terminal is configured',
      todo: ['Sell once with a card: tillbridge-agent sale --amount 1.00 --currency EUR'],
    };
  // Of its own, so that no till meets an agent that ends at once.
  const alone = { ...config, port: 0, nexo: undefined, zvt: undefined, replica: undefined };
  const agent = await startAgent(alone, createLog(LOG_NAME, config.log));
  try {
    const token = readToken(config.tokenFile ?? join(config.home, TILL_TOKEN_FILE));
    return await sell(connect({ url: agent.url, token }), terminal, config.merchant.currency, note);
  } finally {
    await agent.close();
  }
}

async function sell(
  client: TrialClient,
  { id: terminalId }: TerminalConfig,
  currency: string,
  note: (text: string) => void,
): Promise<StepResult> {
  const missing = await untilReady(client, terminalId);
  if (missing !== undefined) return { text: `no trial sale: ${missing}`, isBad: true };
  note(
    `selling ${AMOUNT} ${currency} on terminal ${terminalId}: present a card, where it does not come by itself`,
  );
  const reference = `install-${systemClock.nowMs()}`;
  const call = { reference, amount: AMOUNT, currency, type: 'sale', terminalId } as const;
  const sale = await untilEnd(
    client,
    await client.sale({ ...call, cancelAfterSeconds: TRIAL_LIMITS.cardSeconds }),
  );
  if (sale.outcome !== 'approved')
    return {
      text: `the trial sale on terminal ${terminalId} ended as ${sale.outcome ?? sale.state}${sale.resultCode ? ` (${sale.resultCode})` : ''}: ${sale.cashierText}`,
      isBad: true,
      todo: [
        'See why on the gateway: tillbridge-gateway alerts list; a terminal that it does not know: tillbridge-gateway devices add',
      ],
    };
  const reversed = await untilEnd(client, await client.reverse(reference));
  const end = reversed.outcome === 'reversed' ? 'reversed' : `its reversal is ${reversed.state}`;
  return { text: `${AMOUNT} ${currency} approved on terminal ${terminalId}, ${end}` };
}

/** Undefined when gateway and terminal are ready, else what is not. */
async function untilReady(client: TrialClient, terminalId: string): Promise<string | undefined> {
  for (let waitedMs = 0; ; waitedMs += TRIAL_LIMITS.pollMs) {
    const { gateway, terminals } = await client.status();
    const terminal = terminals.find(({ id }) => id === terminalId);
    const isUp = gateway.state === 'up';
    if (isUp && terminal?.state === 'ready') return undefined;
    if (waitedMs >= TRIAL_LIMITS.readyMs)
      return isUp
        ? `terminal ${terminalId} is ${terminal?.state ?? 'not there'}${terminal?.reason ? `, ${terminal.reason}` : ''}`
        : `the gateway is ${gateway.state}`;
    await delay(TRIAL_LIMITS.pollMs);
  }
}

async function untilEnd(client: TrialClient, first: SaleAnswer): Promise<SaleAnswer> {
  let sale = first;
  for (let waitedMs = 0; !isOver(sale) && waitedMs < TRIAL_LIMITS.endMs; waitedMs += TRIAL_LIMITS.pollMs) {
    await delay(TRIAL_LIMITS.pollMs);
    sale = await client.get(sale.reference);
  }
  return sale;
}

function isOver({ state }: SaleAnswer): boolean {
  return state === 'done' || state === 'parked';
}
