import { addKnownAgent, connectKnownAgent } from '../stack/known-agent.js';
import type { Seed } from '../stack/parts.js';

const AGENT = 'bench-commands';
/** How long until an agent at another node shall have a command, at the median, in milliseconds. */
export const COMMAND_GOAL_MS = 50;

/** Milliseconds from the request at one gateway until the agent at the other one has the command: the median of so many. */
export async function commandLatency(
  databaseUrl: string,
  [calledUrl, connected]: readonly [string, string],
  { merchant, commands }: Pick<Seed, 'merchant'> & { readonly commands: number },
): Promise<number> {
  await addKnownAgent(databaseUrl, AGENT, merchant.entityId);
  const agent = await connectKnownAgent(connected, AGENT);
  const tookMs: number[] = [];
  for (let at = 0; at < commands; at += 1) {
    const startedMs = performance.now();
    const answer = fetch(`${calledUrl}/v1/agents/${AGENT}/commands`, {
      method: 'POST',
      headers: { authorization: `Bearer ${merchant.accessToken}` },
      body: new URLSearchParams({ entityId: merchant.entityId, action: 'ping' }),
    });
    const { id: commandId } = await agent.nextEnvelope('command');
    tookMs.push(performance.now() - startedMs);
    agent.say('commandResult', {
      commandId,
      state: 1,
      reasonCode: '',
      reason: '',
      saleState: '',
      saleOutcome: '',
    });
    const { status } = await answer;
    if (status !== 200) throw new Error(`a command was answered with ${status}`);
  }
  agent.socket.close();
  tookMs.sort((a, b) => a - b);
  return tookMs[Math.floor(commands / 2)] ?? Number.NaN;
}
